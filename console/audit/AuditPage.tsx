import { Download, ScrollText } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import styles from '#console/audit/AuditPage.module.css'
import { changeOf, placeOfSubject } from '#console/audit/audit.rules.ts'
import type { AuditFilter } from '#console/io/client.ts'
import { useAsked, useClient } from '#console/io/console.ts'
import { useLocaleTag, useWords } from '#console/io/words.ts'
import { Button } from '#console/parts/Button.tsx'
import { EmptyState, ErrorState, Skeleton } from '#console/parts/EmptyState.tsx'
import { Field, Select, TextInput } from '#console/parts/Field.tsx'
import { JsonDiff } from '#console/parts/JsonDiff.tsx'
import { Page } from '#console/parts/layout/Page.tsx'
import { Table } from '#console/parts/layout/Table.tsx'
import { SearchInput } from '#console/parts/SearchInput.tsx'
import { useRun } from '#console/parts/useRun.ts'
import { useSearch } from '#console/parts/useSearch.ts'
import { exactly } from '#console/parts/when.ts'
import type { AuditRow } from '#language/publish/publishing.ts'

const pageRows = 100
const pauseMs = 300
const names = ['subject', 'actor'] as const
const kinds = ['draft', 'schedule', 'release', 'operator', 'outbox', 'audit'] as const
const dayMs = 86_400_000

/** Dates as typed, in the operator's time zone, both inclusive. */
function filterOf(search: URLSearchParams): AuditFilter {
  const day = (name: string, end: boolean) => {
    const [year, month, date] = (search.get(name) ?? '').split('-').map(Number)
    if (!year || !month || !date) return undefined
    const at = new Date(year, month - 1, date).getTime()
    return end ? at + dayMs - 1 : at
  }
  const filter: AuditFilter = {}
  const kind = kinds.find((one) => one === search.get('kind'))
  if (kind) filter.action = `${kind}.`
  for (const name of names) if (search.get(name)) filter[name] = search.get(name) ?? ''
  const [from, to] = [day('from', false), day('to', true)]
  return { ...filter, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
}

/** The audit log: who did what, when and why. */
export function AuditPage() {
  const say = useWords()
  const tag = useLocaleTag()
  const client = useClient()
  const { busy, run } = useRun()
  const { search, put } = useSearch()
  const [older, setOlder] = useState<{ key: string; rows: AuditRow[] }>({ key: '', rows: [] })
  const filter = filterOf(search)
  const key = JSON.stringify(filter)
  const page = useAsked(`audit.${key}`, () => client.audit({ ...filter, limit: pageRows }), ['draft', 'release', 'operators'])
  const drafts = useAsked('drafts', client.drafts, ['draft'])
  const draftNames = new Map((drafts.data ?? []).map(({ id, name }) => [id, name]))
  const rows = [...(page.data?.rows ?? []), ...(older.key === key ? older.rows : [])]
  const total = page.data?.total ?? 0
  const more = () =>
    run('more', async () => {
      const next = await client.audit({ ...filter, limit: pageRows, before: rows.at(-1)?.id ?? 0 })
      setOlder((before) => ({ key, rows: [...(before.key === key ? before.rows : []), ...next.rows] }))
    })
  return (
    <Page
      title={say('shell.audit.title')}
      lead={say('shell.audit.lead')}
      actions={
        <a className={styles.csv} href={client.auditCsv(filter)} download="audit.csv">
          <Download size={16} aria-hidden /> {say('shell.audit.csv')}
        </a>
      }
    >
      <div className={styles.filters}>
        {names.map((name) => (
          <Field key={name} label={say(`shell.audit.${name}`)}>
            {(field) => (
              <SearchInput
                {...field}
                placeholder={say(`shell.audit.${name}_hint`)}
                value={search.get(name) ?? ''}
                onSearch={(text) => put(name, text)}
                pauseMs={pauseMs}
              />
            )}
          </Field>
        ))}
        <Field label={say('shell.audit.kind')}>
          {(field) => (
            <Select
              {...field}
              value={kinds.find((one) => one === search.get('kind')) ?? ''}
              choices={[
                { value: '', label: say('shell.audit.kind_all') },
                ...kinds.map((value) => ({ value, label: say(`shell.audit.kind_${value}`) })),
              ]}
              onChoose={(value) => put('kind', value)}
            />
          )}
        </Field>
        {(['from', 'to'] as const).map((name) => (
          <Field key={name} label={say(`shell.audit.${name}`)}>
            {(field) => (
              <TextInput {...field} type="date" value={search.get(name) ?? ''} onChange={(event) => put(name, event.target.value)} />
            )}
          </Field>
        ))}
      </div>
      {page.error && !page.data && <ErrorState error={page.error} again={page.again} />}
      {!page.data && !page.error && <Skeleton rows={8} />}
      {page.data && rows.length === 0 && (
        <EmptyState icon={ScrollText} title={say('shell.audit.none')} text={say('shell.audit.none_text')} />
      )}
      {rows.length > 0 && (
        <>
          <p className="quiet" role="status">
            {say('shell.audit.count', { count: total, shown: rows.length })}
          </p>
          <Table
            label={say('shell.audit.title')}
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              { id: 'at', head: say('shell.audit.at'), cell: ({ at }) => <span className={styles.at}>{exactly(at, tag)}</span> },
              { id: 'actor', head: say('shell.audit.actor'), main: true, cell: ({ actor }) => actor },
              { id: 'action', head: say('shell.audit.action'), cell: ({ action }) => <code>{action}</code> },
              { id: 'subject', head: say('shell.audit.subject'), cell: ({ subject }) => <Subject subject={subject} names={draftNames} /> },
              { id: 'reason', head: say('shell.audit.reason'), grow: true, cell: (row) => <Why row={row} /> },
            ]}
          />
          {rows.length < total ? (
            <div className={styles.more}>
              <Button busy={busy !== null} onClick={() => void more()}>
                {say('shell.more')}
              </Button>
            </div>
          ) : (
            <p className={styles.more}>{say('shell.no_more')}</p>
          )}
        </>
      )}
    </Page>
  )
}

/** The subject of a row as a link to its page. */
function Subject({ subject, names }: { subject: string; names: ReadonlyMap<number, string> }) {
  const place = placeOfSubject(subject)
  if (!place) return subject
  const name = place.draft === undefined ? undefined : names.get(place.draft)
  return (
    <Link className="link" to={place.to}>
      {name ? `${subject}, ${name}` : subject}
    </Link>
  )
}

function Why({ row }: { row: AuditRow }) {
  const say = useWords()
  const { reason, detail, fromHash, toHash, chain } = row
  const more = Object.keys(detail).length > 0 || fromHash !== null || toHash !== null
  const change = changeOf(row)
  return (
    <div className={styles.why}>
      {reason && <span>{reason}</span>}
      {change?.kind === 'values' && (
        <span>
          {change.before} → {change.after}
        </span>
      )}
      {change?.kind === 'file' && <FileChange row={row.id} path={change.path} />}
      {more && (
        <details>
          <summary>{say('shell.audit.detail')}</summary>
          <pre>{JSON.stringify({ ...detail, ...(fromHash && { from: fromHash }), ...(toHash && { to: toHash }), chain }, null, 2)}</pre>
        </details>
      )}
    </div>
  )
}

/** Path of the saved file, with its text before and after on demand. */
function FileChange({ row, path }: { row: number; path: string }) {
  const say = useWords()
  const client = useClient()
  const [open, setOpen] = useState(false)
  const change = useAsked(open ? `change.${row}` : null, () => client.auditChange(row))
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{say('shell.audit.change', { path })}</summary>
      {open && change.error && <ErrorState error={change.error} again={change.again} />}
      {open && !change.data && !change.error && <Skeleton rows={3} />}
      {open && change.data && (
        <JsonDiff
          before={change.data.before ?? ''}
          after={change.data.after ?? ''}
          beforeLabel={say('shell.audit.before')}
          afterLabel={say('shell.audit.after')}
        />
      )}
    </details>
  )
}
