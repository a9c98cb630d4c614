import { lazy, Suspense, useState } from 'react'
import { Link, useParams } from 'react-router-dom'
import { useAsked, useClient } from '#console/io/console.ts'
import { usePrepared } from '#console/io/usePrepared.ts'
import { useLocaleTag, useWords } from '#console/io/words.ts'
import { EmptyState, ErrorState, Skeleton } from '#console/parts/EmptyState.tsx'
import { Field, Select } from '#console/parts/Field.tsx'
import { Card, Page } from '#console/parts/layout/Page.tsx'
import { Tabs } from '#console/parts/layout/Tabs.tsx'
import { useGoOn } from '#console/parts/useGoOn.ts'
import { exactly } from '#console/parts/when.ts'
import { GuardMetricsView } from '#console/releases/Guard.tsx'
import styles from '#console/releases/Release.module.css'
import { RollbackButton } from '#console/releases/RollbackButton.tsx'
import { RolloutCard } from '#console/releases/RolloutCard.tsx'
import { madeBy } from '#console/releases/release.rules.ts'
import { StopCard } from '#console/releases/StopCard.tsx'
import { useGuard } from '#console/releases/useGuard.ts'
import { Changes } from '#console/review/ChangesCard.tsx'
import { ReleaseStateBadge } from '#console/shell/StateBadges.tsx'
import { DraftFromButton } from '#console/start/DraftFromButton.tsx'

const BeforeAfter = lazy(async () => ({ default: (await import('#console/preview/BeforeAfter.tsx')).BeforeAfter }))

/** One release: its author, its changes and its metrics. */
export function ReleasePage() {
  const say = useWords()
  const tag = useLocaleTag()
  const client = useClient()
  const goOn = useGoOn()
  const { number: typed = '' } = useParams()
  const number = /^\d{1,9}$/.test(typed) ? Number(typed) : 0
  const [part, setPart] = useState<'changes' | 'frames'>('changes')
  const [against, setAgainst] = useState<number | null>(null)
  const release = useAsked(`release.${number}`, () => client.release(number), ['release'])
  const all = useAsked('releases', client.releases, ['release'])
  const info = release.data
  const guard = useGuard(info?.state === 'candidate')
  const earlier = (all.data ?? []).filter((one) => one.number < number)
  const other = against ?? earlier[0]?.number ?? null
  const diff = useAsked(other === null ? null : `diff.${number}.${other}`, () => client.releaseDiff(number, other ?? 0))
  const files = useAsked(`files.${number}`, (signal) => client.files({ release: number }, signal))
  const before = useAsked(other === null ? null : `files.${other}`, (signal) => client.files({ release: other ?? 0 }, signal))
  const catalog = useAsked(part === 'frames' ? 'catalog' : null, client.catalog)
  const wanted = part === 'frames'
  const newSet = usePrepared(wanted ? (files.data?.files ?? null) : null, catalog.data?.catalog ?? null)
  const oldSet = usePrepared(wanted ? (before.data?.files ?? null) : null, catalog.data?.catalog ?? null)

  if (number === 0 || release.error?.code === 'not_found') return <EmptyState title={say('review.release.none')} />
  if (!info)
    return (
      <Page title={`#${number}`}>{release.error ? <ErrorState error={release.error} again={release.again} /> : <Skeleton rows={6} />}</Page>
    )
  const metrics = guard.data?.find((one) => one.release === number)
  const facts: [string, React.ReactNode][] = [
    [say('review.releases.at'), exactly(info.at, tag)],
    [say('review.releases.author'), madeBy(info)],
    [say('review.releases.approver'), info.approver ?? '—'],
    [say('review.release.publisher'), info.publisher],
    [say('review.releases.flows'), say(`review.flows.${info.flows}`)],
    [say('review.release.documents'), info.documents],
    [
      say('review.release.from'),
      info.from === null ? (
        '—'
      ) : (
        <Link key="from" className="link" to={`/release/${info.from}`}>
          #{info.from}
        </Link>
      ),
    ],
    [say('review.release.hash'), <code key="hash">{info.hash.slice(0, 16)}</code>],
  ]
  return (
    <Page
      title={say('review.release_number', { number })}
      beside={<ReleaseStateBadge release={info} />}
      lead={info.note || say(`review.releases.kind_${info.kind}`, { from: info.from ?? '' })}
      actions={
        <>
          <DraftFromButton release={number} />
          {info.state === 'past' && <RollbackButton release={info} onDone={() => goOn('/releases')} />}
        </>
      }
    >
      {info.state === 'candidate' && <RolloutCard release={info} metrics={metrics} series={guard.series(number)} onDone={release.again} />}
      {info.stop && <StopCard stop={info.stop} />}
      <Card>
        <dl className={styles.facts}>
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </Card>
      {metrics && info.state !== 'candidate' && (
        <Card title={say('review.guard.title')}>
          <GuardMetricsView metrics={metrics} series={guard.series(number)} />
        </Card>
      )}
      {other === null ? (
        <EmptyState title={say('review.release.first')} />
      ) : (
        <>
          <div className={styles.against}>
            <Field inline label={say('review.release.against')}>
              {(field) => (
                <Select
                  {...field}
                  value={String(other)}
                  onChoose={(value) => setAgainst(Number(value))}
                  choices={earlier.map((one) => ({ value: String(one.number), label: `#${one.number} ${one.note}`.trim().slice(0, 60) }))}
                />
              )}
            </Field>
          </div>
          <Tabs
            label={say('review.parts')}
            chosen={part}
            onChoose={setPart}
            tabs={[
              { id: 'changes', label: say('review.part.changes'), count: diff.data?.length },
              { id: 'frames', label: say('review.part.frames') },
            ]}
          >
            {part === 'changes' &&
              (diff.error ? (
                <ErrorState error={diff.error} again={diff.again} />
              ) : diff.data && files.data && before.data ? (
                <Changes
                  diff={diff.data}
                  before={before.data.files}
                  after={files.data.files}
                  beforeLabel={`#${other}`}
                  afterLabel={`#${number}`}
                />
              ) : (
                <Skeleton />
              ))}
            {part === 'frames' && (
              <Suspense fallback={<Skeleton />}>
                <BeforeAfter before={oldSet} after={newSet} screens={[...new Set(diff.data?.flatMap(({ screens }) => screens))]} />
              </Suspense>
            )}
          </Tabs>
        </>
      )}
    </Page>
  )
}
