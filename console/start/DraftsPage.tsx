import { FilePlus2, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router-dom'
import { useAsked, useConsole, useMay } from '#console/io/console.ts'
import { useLocaleTag, useWords } from '#console/io/words.ts'
import { Badge } from '#console/parts/Badge.tsx'
import { Button, IconButton } from '#console/parts/Button.tsx'
import { useConfirm } from '#console/parts/dialog/Dialog.tsx'
import { EmptyState, ErrorState, Skeleton } from '#console/parts/EmptyState.tsx'
import { Page } from '#console/parts/layout/Page.tsx'
import { Table } from '#console/parts/layout/Table.tsx'
import { Tabs } from '#console/parts/layout/Tabs.tsx'
import { useToast } from '#console/parts/Toast.tsx'
import { useRun } from '#console/parts/useRun.ts'
import { exactly, when } from '#console/parts/when.ts'
import { DraftStateBadge } from '#console/shell/StateBadges.tsx'
import { NewDraft } from '#console/start/NewDraft.tsx'
import type { Draft } from '#language/publish/publishing.ts'

const groups = { open: ['open', 'submitted', 'approved'], done: ['published'], dropped: ['dropped'] } as const
type Group = keyof typeof groups
const on = (group: Group) => (draft: Draft) => (groups[group] as readonly string[]).includes(draft.state)

export function DraftsPage() {
  const say = useWords()
  const tag = useLocaleTag()
  const may = useMay()
  const toast = useToast()
  const confirm = useConfirm()
  const navigate = useNavigate()
  const { client, me } = useConsole()
  const { run } = useRun()
  const [search, setSearch] = useSearchParams()
  const [group, setGroup] = useState<Group>('open')
  const drafts = useAsked('drafts', client.drafts, ['draft', 'release'])
  const making = search.has('new')
  const setMaking = (open: boolean) => setSearch(open ? { new: '' } : {}, { replace: true })
  const all = drafts.data ?? []
  const rows = all.filter(on(group)).sort((a, b) => b.updatedAt - a.updatedAt)
  const drop = async (draft: Draft) => {
    const sure = await confirm({
      title: say('shell.drafts.drop_title', { name: draft.name }),
      text: say('shell.drafts.drop_text'),
      ok: say('shell.drafts.drop'),
      danger: true,
    })
    if (sure)
      await run('drop', async () => {
        await client.dropDraft(draft.id)
        toast.good(say('shell.drafts.dropped_note', { name: draft.name }))
        drafts.again()
      })
  }
  const make = may('editor') && (
    <Button tone="primary" icon={FilePlus2} onClick={() => setMaking(true)}>
      {say('shell.drafts.new')}
    </Button>
  )
  return (
    <Page title={say('shell.drafts.title')} lead={say('shell.drafts.lead')} actions={make}>
      <NewDraft open={making} onClose={() => setMaking(false)} />
      {drafts.error && !drafts.data && <ErrorState error={drafts.error} again={drafts.again} />}
      {!drafts.data && !drafts.error && <Skeleton rows={5} />}
      {drafts.data && (
        <Tabs
          label={say('shell.drafts.title')}
          chosen={group}
          onChoose={setGroup}
          tabs={(Object.keys(groups) as Group[]).map((id) => ({ id, label: say(`shell.drafts.${id}`), count: all.filter(on(id)).length }))}
        >
          {rows.length === 0 ? (
            <EmptyState
              icon={FilePlus2}
              title={say(`shell.drafts.none_${group}`)}
              text={group === 'open' ? say('shell.drafts.none_text') : undefined}
            >
              {group === 'open' && make}
            </EmptyState>
          ) : (
            <Table
              label={say('shell.drafts.title')}
              rows={rows}
              keyOf={({ id }) => id}
              onOpen={({ id, release, state }) =>
                navigate(state === 'published' && release !== null ? `/release/${release}` : `/draft/${id}/documents`)
              }
              columns={[
                {
                  id: 'name',
                  head: say('shell.drafts.name'),
                  main: true,
                  grow: true,
                  cell: ({ id, name }) => (
                    <Link className="link" to={`/draft/${id}/documents`} onClick={(event) => event.stopPropagation()}>
                      {name}
                    </Link>
                  ),
                },
                {
                  id: 'state',
                  head: say('shell.drafts.state'),
                  cell: (draft) => (
                    <span style={{ display: 'inline-flex', gap: 6, flexWrap: 'wrap' }}>
                      <DraftStateBadge draft={draft} />
                      {draft.stale && draft.state !== 'published' && draft.state !== 'dropped' && (
                        <Badge tone="warn">{say('shell.state.stale')}</Badge>
                      )}
                    </span>
                  ),
                },
                { id: 'files', head: say('shell.drafts.files'), end: true, cell: ({ paths }) => paths.length },
                { id: 'base', head: say('shell.drafts.base'), end: true, cell: ({ base }) => `#${base}` },
                {
                  id: 'author',
                  head: say('shell.drafts.author'),
                  cell: ({ author }) => (author === me?.operator.name ? say('shell.you') : author),
                },
                {
                  id: 'updated',
                  head: say('shell.drafts.updated'),
                  cell: ({ updatedAt }) => <span title={exactly(updatedAt, tag)}>{when(updatedAt, tag)}</span>,
                },
                {
                  id: 'drop',
                  head: '',
                  end: true,
                  cell: (draft) =>
                    draft.state !== 'published' &&
                    draft.state !== 'dropped' &&
                    (draft.author === me?.operator.name || may('administrator')) && (
                      <IconButton
                        small
                        tone="danger"
                        label={say('shell.drafts.drop')}
                        icon={Trash2}
                        onClick={(event) => {
                          event.stopPropagation()
                          void drop(draft)
                        }}
                      />
                    ),
                },
              ]}
            />
          )}
        </Tabs>
      )}
    </Page>
  )
}
