import { KeyRound, Snowflake, Sun, UserPlus, Users } from 'lucide-react'
import { useState } from 'react'
import { useAsked, useConsole, useMay } from '#console/io/console.ts'
import { useLocaleTag, useWords } from '#console/io/words.ts'
import { InviteDialog, LinkDialog } from '#console/operators/InviteDialog.tsx'
import { RolesDialog } from '#console/operators/RolesDialog.tsx'
import { Badge } from '#console/parts/Badge.tsx'
import { Button, IconButton } from '#console/parts/Button.tsx'
import { useConfirm } from '#console/parts/dialog/Dialog.tsx'
import { EmptyState, ErrorState, Skeleton } from '#console/parts/EmptyState.tsx'
import { Page } from '#console/parts/layout/Page.tsx'
import { Table } from '#console/parts/layout/Table.tsx'
import { useToast } from '#console/parts/Toast.tsx'
import { useRun } from '#console/parts/useRun.ts'
import { when } from '#console/parts/when.ts'
import type { OperatorInfo, SetupLink } from '#language/publish/operator-accounts.ts'

/** The operators of the console and their roles. */
export function OperatorsPage() {
  const say = useWords()
  const tag = useLocaleTag()
  const may = useMay()
  const toast = useToast()
  const confirm = useConfirm()
  const { client, me } = useConsole()
  const { run } = useRun()
  const [inviting, setInviting] = useState(false)
  const [link, setLink] = useState<SetupLink | null>(null)
  const [editing, setEditing] = useState<OperatorInfo | null>(null)
  const allowed = may('administrator')
  const operators = useAsked(allowed ? 'operators' : null, client.operators, ['operators'])
  if (!allowed) return <EmptyState icon={Users} title={say('shell.problem.not_allowed')} />

  const freeze = async ({ id, name, frozen }: OperatorInfo) => {
    const word = frozen ? 'thaw' : 'freeze'
    const sure = await confirm({
      title: say(`shell.operators.${word}_title`, { name }),
      text: say(`shell.operators.${word}_text`),
      ok: say(`shell.operators.${word}`),
      danger: !frozen,
    })
    if (sure)
      await run('freeze', async () => {
        await client.changeOperator(id, { frozen: !frozen })
        toast.good(say(`shell.operators.${word}_done`, { name }))
        operators.again()
      })
  }
  const reset = async ({ id, name }: OperatorInfo) => {
    const sure = await confirm({
      title: say('shell.operators.reset_title', { name }),
      text: say('shell.operators.reset_text'),
      ok: say('shell.operators.reset'),
      danger: true,
    })
    if (sure)
      await run('reset', async () => {
        setLink(await client.resetOperator(id))
        operators.again()
      })
  }
  const state = ({ frozen, ready }: OperatorInfo) => (frozen ? 'frozen' : ready ? 'active' : 'invited')
  const tones = { frozen: 'bad', active: 'good', invited: 'info' } as const
  return (
    <Page
      title={say('shell.operators.title')}
      lead={say('shell.operators.lead')}
      actions={
        <Button tone="primary" icon={UserPlus} onClick={() => setInviting(true)}>
          {say('shell.operators.invite')}
        </Button>
      }
    >
      {operators.error && !operators.data && <ErrorState error={operators.error} again={operators.again} />}
      {!operators.data && !operators.error && <Skeleton rows={4} />}
      {operators.data && (
        <Table
          label={say('shell.operators.title')}
          rows={operators.data}
          keyOf={({ id }) => id}
          columns={[
            {
              id: 'name',
              head: say('shell.name'),
              main: true,
              cell: ({ name, id }) => (id === me?.operator.id ? `${name} (${say('shell.you')})` : name),
            },
            {
              id: 'state',
              head: say('shell.operators.state'),
              cell: (one) => <Badge tone={tones[state(one)]}>{say(`shell.operators.${state(one)}`)}</Badge>,
            },
            {
              id: 'roles',
              head: say('shell.operators.roles'),
              grow: true,
              cell: (one) => (
                <span style={{ display: 'inline-flex', gap: 4, flexWrap: 'wrap', alignItems: 'center' }}>
                  {one.roles.map((role) => (
                    <Badge key={role}>{say(`shell.role.${role}`)}</Badge>
                  ))}
                  <Button
                    small
                    tone="quiet"
                    onClick={() => setEditing(one)}
                    aria-label={say('shell.operators.change_roles', { name: one.name })}
                  >
                    {say('shell.change')}
                  </Button>
                </span>
              ),
            },
            {
              id: 'seen',
              head: say('shell.operators.seen'),
              cell: ({ lastSeenAt }) => (lastSeenAt === null ? '—' : when(lastSeenAt, tag)),
            },
            {
              id: 'do',
              head: '',
              end: true,
              cell: (one) => (
                <span style={{ display: 'inline-flex' }}>
                  <IconButton
                    small
                    label={say('shell.operators.reset_label', { name: one.name })}
                    icon={KeyRound}
                    disabled={one.frozen}
                    onClick={() => void reset(one)}
                  />
                  <IconButton
                    small
                    tone={one.frozen ? 'quiet' : 'danger'}
                    label={say(one.frozen ? 'shell.operators.thaw_label' : 'shell.operators.freeze_label', { name: one.name })}
                    icon={one.frozen ? Sun : Snowflake}
                    onClick={() => void freeze(one)}
                  />
                </span>
              ),
            },
          ]}
        />
      )}
      <InviteDialog
        open={inviting}
        onClose={() => setInviting(false)}
        onMade={(made) => {
          setInviting(false)
          setLink(made)
          operators.again()
        }}
      />
      <LinkDialog link={link} onClose={() => setLink(null)} />
      {editing && <RolesDialog operator={editing} onClose={() => setEditing(null)} onDone={operators.again} />}
    </Page>
  )
}
