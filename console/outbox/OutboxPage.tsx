import { Mail } from 'lucide-react'
import { useState } from 'react'
import { useAsked, useClient, useMay } from '#console/io/console.ts'
import { useLocaleTag, useWords } from '#console/io/words.ts'
import styles from '#console/outbox/OutboxPage.module.css'
import { Badge } from '#console/parts/Badge.tsx'
import { Button } from '#console/parts/Button.tsx'
import { Dialog, useConfirm } from '#console/parts/dialog/Dialog.tsx'
import { EmptyState, ErrorState, Skeleton } from '#console/parts/EmptyState.tsx'
import { Field } from '#console/parts/Field.tsx'
import { Page } from '#console/parts/layout/Page.tsx'
import { Table } from '#console/parts/layout/Table.tsx'
import { SearchInput } from '#console/parts/SearchInput.tsx'
import { useRun } from '#console/parts/useRun.ts'
import { exactly } from '#console/parts/when.ts'
import type { OutboxMessage, OutboxRow } from '#language/publish/operator-accounts.ts'

const pauseMs = 300
const tones = { waiting: 'info', sending: 'info', sent: 'good', dropped: 'neutral', failed: 'bad', expired: 'warn' } as const

/** Messages to customers, masked. Opening a message needs a reason, which goes into the audit log. */
export function OutboxPage() {
  const say = useWords()
  const tag = useLocaleTag()
  const may = useMay()
  const client = useClient()
  const { busy, run } = useRun()
  const [search, setSearch] = useState('')
  const [pages, setPages] = useState<{ search: string; rows: OutboxRow[]; before: number | null } | null>(null)
  const [opened, setOpened] = useState<OutboxMessage | null>(null)
  const confirm = useConfirm()
  const open = async (id: number) => {
    const told = await confirm({
      title: say('shell.outbox.open'),
      ok: say('shell.outbox.read'),
      reason: { label: say('shell.outbox.open_reason'), required: true },
    })
    if (told) await run(`open ${id}`, async () => setOpened(await client.openMessage(id, told.reason)))
  }
  const allowed = may('administrator')
  const page = useAsked(allowed ? `outbox.${search}` : null, () => client.outbox({ search }))
  if (!allowed) return <EmptyState icon={Mail} title={say('shell.problem.not_allowed')} />
  // Rows that were asked for under another search do not belong to this one.
  const older = pages?.search === search ? pages : null
  const rows = [...(page.data?.rows ?? []), ...(older?.rows ?? [])]
  const before = older ? older.before : (page.data?.before ?? null)
  const more = () =>
    run('more', async () => {
      if (before === null) return
      const next = await client.outbox({ search, before })
      setPages({ search, rows: [...(older?.rows ?? []), ...next.rows], before: next.before })
    })
  return (
    <Page title={say('shell.outbox.title')} lead={say('shell.outbox.lead')}>
      <div className={styles.search}>
        <Field label={say('shell.outbox.search')}>
          {(field) => <SearchInput {...field} maxLength={200} value={search} onSearch={setSearch} pauseMs={pauseMs} />}
        </Field>
        <Button
          onClick={() => {
            setPages(null)
            page.again()
          }}
        >
          {say('shell.refresh')}
        </Button>
      </div>
      {page.error && !page.data && <ErrorState error={page.error} again={page.again} />}
      {!page.data && !page.error && <Skeleton rows={6} />}
      {page.data && rows.length === 0 && <EmptyState icon={Mail} title={say('shell.outbox.none')} />}
      {rows.length > 0 && (
        <Table
          label={say('shell.outbox.title')}
          rows={rows}
          keyOf={({ id }) => id}
          columns={[
            { id: 'to', head: say('shell.outbox.to'), main: true, cell: ({ to }) => <span className={styles.to}>{to}</span> },
            { id: 'channel', head: say('shell.outbox.channel'), cell: ({ channel }) => say(`shell.outbox.${channel}`) },
            { id: 'kind', head: say('shell.outbox.kind'), cell: ({ kind }) => <code>{kind}</code> },
            {
              id: 'status',
              head: say('shell.outbox.status'),
              cell: ({ status }) => <Badge tone={tones[status]}>{say(`shell.outbox.status_${status}`)}</Badge>,
            },
            {
              id: 'text',
              head: say('shell.outbox.text'),
              grow: true,
              cell: ({ id, readable }) =>
                readable ? (
                  <Button busy={busy === `open ${id}`} onClick={() => void open(id)}>
                    {say('shell.outbox.read')}
                  </Button>
                ) : (
                  <span className="quiet">{say('shell.outbox.gone')}</span>
                ),
            },
            { id: 'at', head: say('shell.outbox.at'), cell: ({ created }) => <span className={styles.at}>{exactly(created, tag)}</span> },
          ]}
        />
      )}
      {before !== null && (
        <div className={styles.more}>
          <Button busy={busy !== null} onClick={() => void more()}>
            {say('shell.more')}
          </Button>
        </div>
      )}
      {opened && (
        <Dialog open onClose={() => setOpened(null)} title={opened.address}>
          <div className={styles.text}>
            {opened.code !== null && <strong className={styles.code}>{opened.code}</strong>}
            {opened.subject && <strong>{opened.subject}</strong>}
            <pre>{opened.text || say('shell.outbox.gone')}</pre>
          </div>
        </Dialog>
      )}
    </Page>
  )
}
