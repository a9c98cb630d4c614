import { LogOut } from 'lucide-react'
import { useNavigate } from 'react-router-dom'
import { AccessCard } from '#console/account/AccessCard.tsx'
import { useAsked, useConsole } from '#console/io/console.ts'
import { useLocaleTag, useWords } from '#console/io/words.ts'
import { Badge } from '#console/parts/Badge.tsx'
import { Button } from '#console/parts/Button.tsx'
import { useConfirm } from '#console/parts/dialog/Dialog.tsx'
import { ErrorState, Skeleton } from '#console/parts/EmptyState.tsx'
import { Card, Page } from '#console/parts/layout/Page.tsx'
import { Table } from '#console/parts/layout/Table.tsx'
import { useToast } from '#console/parts/Toast.tsx'
import { agentName, when } from '#console/parts/when.ts'
import { LanguageSelect } from '#console/shell/LanguageSelect.tsx'

export function AccountPage() {
  const say = useWords()
  const tag = useLocaleTag()
  const toast = useToast()
  const confirm = useConfirm()
  const navigate = useNavigate()
  const { client, me, setMe } = useConsole()
  const sessions = useAsked('sessions', client.sessions)
  const end = async (id: string, current: boolean) => {
    const sure = await confirm({
      title: say('shell.account.end_title'),
      text: say('shell.account.end_text'),
      ok: say('shell.account.end'),
      danger: true,
    })
    if (!sure) return
    try {
      await client.endSession(id)
      if (current) {
        setMe(null)
        navigate('/login')
      } else sessions.again()
    } catch (error) {
      toast.bad(error)
    }
  }
  return (
    <Page title={say('shell.account.title')} lead={say('shell.account.lead')}>
      <Card title={me?.operator.name}>
        <div style={{ display: 'flex', gap: 6, flexWrap: 'wrap' }}>
          {me?.operator.roles.map((role) => (
            <Badge key={role} tone="accent">
              {say(`shell.role.${role}`)}
            </Badge>
          ))}
        </div>
        <div style={{ maxWidth: 280 }}>
          <LanguageSelect />
        </div>
      </Card>
      <AccessCard />
      <Card title={say('shell.account.sessions')}>
        {sessions.error && !sessions.data && <ErrorState error={sessions.error} again={sessions.again} />}
        {!sessions.data && !sessions.error && <Skeleton rows={2} />}
        {sessions.data && (
          <Table
            label={say('shell.account.sessions')}
            rows={sessions.data}
            keyOf={({ id }) => id}
            columns={[
              {
                id: 'agent',
                head: say('shell.account.device'),
                main: true,
                cell: ({ agent, current }) => (
                  <span style={{ display: 'inline-flex', gap: 8, alignItems: 'center', flexWrap: 'wrap' }} title={agent}>
                    {agentName(agent)} {current && <Badge tone="good">{say('shell.account.this')}</Badge>}
                  </span>
                ),
              },
              { id: 'created', head: say('shell.account.since'), cell: ({ createdAt }) => when(createdAt, tag) },
              { id: 'seen', head: say('shell.account.seen'), cell: ({ seenAt }) => when(seenAt, tag) },
              {
                id: 'end',
                head: '',
                end: true,
                cell: ({ id, current }) => (
                  <Button small tone="quiet" icon={LogOut} onClick={() => void end(id, current)}>
                    {say('shell.account.end')}
                  </Button>
                ),
              },
            ]}
          />
        )}
      </Card>
    </Page>
  )
}
