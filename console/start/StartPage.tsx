import { ArrowRight, CalendarClock, CircleCheck, FilePen, FilePlus2, Rocket } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { waiting } from '#console/back-office/protocol.ts'
import { useQueueCounts } from '#console/back-office/useQueueCounts.ts'
import { useAsked, useConsole, useMay } from '#console/io/console.ts'
import { useLocaleTag, useWords } from '#console/io/words.ts'
import { Badge } from '#console/parts/Badge.tsx'
import { LinkButton } from '#console/parts/Button.tsx'
import { ErrorState, Skeleton } from '#console/parts/EmptyState.tsx'
import { Card, Page } from '#console/parts/layout/Page.tsx'
import { exactly, when } from '#console/parts/when.ts'
import { GuardLine } from '#console/releases/Guard.tsx'
import { alarmsOf } from '#console/releases/release.rules.ts'
import { StopReason } from '#console/releases/StopCard.tsx'
import { DraftStateBadge } from '#console/shell/StateBadges.tsx'
import styles from '#console/start/StartPage.module.css'
import { waitingFor } from '#console/start/waiting.rules.ts'
import type { Draft } from '#language/publish/publishing.ts'

/** The start page: what waits for the operator. */
export function StartPage() {
  const say = useWords()
  const tag = useLocaleTag()
  const may = useMay()
  const { client, me } = useConsole()
  const counts = useQueueCounts()
  const drafts = useAsked('drafts', client.drafts, ['draft', 'release'])
  const releases = useAsked('releases', client.releases, ['release'])
  const guard = useAsked('guard', client.guard, ['guard', 'release'])
  const error = drafts.error ?? releases.error
  if (!drafts.data || !releases.data || !me) {
    return (
      <Page title={say('shell.start.title', { name: me?.operator.name ?? '' })}>
        {error ? (
          <ErrorState
            error={error}
            again={() => {
              drafts.again()
              releases.again()
            }}
          />
        ) : (
          <Skeleton rows={6} />
        )}
      </Page>
    )
  }
  const lists = waitingFor(me.operator, drafts.data)
  const live = releases.data.find(({ state }) => state === 'live')
  const candidate = releases.data.find(({ state }) => state === 'candidate')
  const alarms = alarmsOf(releases.data)
  const suspects = (guard.data ?? []).filter(({ verdict }) => verdict === 'suspect')
  const atBackOffice = counts && may('reviewer') ? waiting(counts) : 0
  const nothing =
    alarms.length + suspects.length + atBackOffice === 0 &&
    [lists.review, lists.publish, lists.rejected, lists.mine].every((list) => list.length === 0)
  const fresh = !releases.data.some(({ kind }) => kind === 'publish')
  const row = (draft: Draft, page: string, note?: ReactNode) => (
    <li key={draft.id}>
      <Link className={styles.row} to={`/draft/${draft.id}/${page}`}>
        <span className={styles.what}>
          <strong>{draft.name}</strong>
          <span className="quiet">
            {note ?? say('shell.start.line', { author: draft.author, count: draft.paths.length, when: when(draft.updatedAt, tag) })}
          </span>
        </span>
        {draft.stale && <Badge tone="warn">{say('shell.state.stale')}</Badge>}
        <DraftStateBadge draft={draft} />
        <ArrowRight size={16} aria-hidden />
      </Link>
    </li>
  )
  const list = (name: string, all: readonly Draft[], page: string, note?: (draft: Draft) => ReactNode) =>
    all.length > 0 && (
      <Card title={say(`shell.start.${name}`)}>
        <ul className={styles.list}>{all.map((draft) => row(draft, page, note?.(draft)))}</ul>
      </Card>
    )
  return (
    <Page
      title={say('shell.start.title', { name: me.operator.name })}
      lead={say('shell.start.lead')}
      actions={
        may('editor') && (
          <LinkButton to="/drafts?new" tone="primary" icon={FilePlus2}>
            {say('shell.drafts.new')}
          </LinkButton>
        )
      }
    >
      <div className={styles.columns}>
        <div className={styles.column}>
          {nothing && (
            <Card>
              <p className={styles.calm}>
                <CircleCheck size={20} aria-hidden /> {say('shell.start.nothing')}
              </p>
            </Card>
          )}
          {alarms.map(
            ({ number, stop }) =>
              stop && (
                <Card
                  key={number}
                  tone="bad"
                  title={say('shell.start.stopped', { number })}
                  actions={
                    <Link className="link" to={`/release/${number}`}>
                      {say('shell.start.stopped_look')}
                    </Link>
                  }
                >
                  <p className="quiet">{exactly(stop.at, tag)}</p>
                  <StopReason stop={stop} />
                </Card>
              ),
          )}
          {suspects.map((metrics) => (
            <Card
              key={metrics.release}
              tone="warn"
              title={say('shell.start.suspect', { number: metrics.release })}
              actions={
                <Link className="link" to={`/release/${metrics.release}`}>
                  {say('shell.start.stopped_look')}
                </Link>
              }
            >
              <GuardLine metrics={metrics} />
              <p className="quiet">{metrics.reason}</p>
            </Card>
          ))}
          {atBackOffice > 0 && (
            <Card title={say('shell.office.rail')}>
              <Link className={styles.row} to="/back-office">
                <span className={styles.what}>{say('shell.office.waiting', { n: atBackOffice })}</span>
                <ArrowRight size={16} aria-hidden />
              </Link>
            </Card>
          )}
          {list('review', lists.review, 'review')}
          {list(
            'rejected',
            lists.rejected,
            'review',
            ({ rejection }) => rejection && say('shell.start.sent_back', { name: rejection.by, reason: rejection.reason }),
          )}
          {list('publish', lists.publish, 'review', ({ approval }) => approval && say('shell.start.approved_by', { name: approval.by }))}
          {list(
            'blocked',
            lists.blocked.map(({ draft }) => draft),
            'review',
            ({ id }) => {
              const found = lists.blocked.find(({ draft }) => draft.id === id)
              return found && say(`review.closed.${found.why}`)
            },
          )}
          {list('mine', lists.mine, 'documents')}
          {list('waiting', lists.waiting, 'review')}
          {list(
            'scheduled',
            lists.scheduled,
            'review',
            ({ schedule }) => schedule && say('shell.start.goes_at', { at: exactly(schedule.at, tag) }),
          )}
        </div>
        <div className={styles.column}>
          <Card
            title={say('shell.start.live')}
            actions={
              <Link className="link" to="/releases">
                {say('shell.start.all_releases')}
              </Link>
            }
          >
            {candidate && (
              <div className={styles.release}>
                <Link className={styles.number} to={`/release/${candidate.number}`}>
                  #{candidate.number} <Badge tone="info">{say('shell.start.rolling', { percent: candidate.rollout?.percent ?? 0 })}</Badge>
                </Link>
                <GuardLine metrics={guard.data?.find(({ release }) => release === candidate.number)} />
              </div>
            )}
            {live && (
              <div className={styles.release}>
                <Link className={styles.number} to={`/release/${live.number}`}>
                  #{live.number} <Badge tone="good">{say('review.state.live')}</Badge>
                </Link>
                <span className="quiet">{say('shell.start.since', { when: when(live.at, tag), name: live.publisher })}</span>
                {live.note && <span>{live.note}</span>}
                <GuardLine metrics={guard.data?.find(({ release }) => release === live.number)} />
              </div>
            )}
          </Card>
          {fresh && (
            <Card title={say('shell.first.title')}>
              <ol className={styles.steps}>
                {[
                  [FilePlus2, 'draft'],
                  [FilePen, 'change'],
                  [CircleCheck, 'approve'],
                  [Rocket, 'publish'],
                  [CalendarClock, 'watch'],
                ].map(([Icon, name]) => {
                  const Mark = Icon as typeof Rocket
                  return (
                    <li key={name as string}>
                      <Mark size={18} aria-hidden />
                      <span>{say(`shell.first.${name as string}`)}</span>
                    </li>
                  )
                })}
              </ol>
            </Card>
          )}
        </div>
      </div>
    </Page>
  )
}
