import { Rocket } from 'lucide-react'
import { Link, useNavigate } from 'react-router-dom'
import { useAsked, useClient } from '#console/io/console.ts'
import { useLocaleTag, useWords } from '#console/io/words.ts'
import { Badge } from '#console/parts/Badge.tsx'
import { EmptyState, ErrorState, Skeleton } from '#console/parts/EmptyState.tsx'
import { Card, Page } from '#console/parts/layout/Page.tsx'
import { Table } from '#console/parts/layout/Table.tsx'
import { exactly, when } from '#console/parts/when.ts'
import { GuardMetricsView } from '#console/releases/Guard.tsx'
import { RollbackButton } from '#console/releases/RollbackButton.tsx'
import { RolloutCard } from '#console/releases/RolloutCard.tsx'
import { madeBy } from '#console/releases/release.rules.ts'
import { useGuard } from '#console/releases/useGuard.ts'
import { ReleaseStateBadge } from '#console/shell/StateBadges.tsx'

/** All releases, the newest first, with the metrics of the running ones. */
export function ReleasesPage() {
  const say = useWords()
  const tag = useLocaleTag()
  const client = useClient()
  const navigate = useNavigate()
  const releases = useAsked('releases', client.releases, ['release'])
  const candidate = releases.data?.find(({ state }) => state === 'candidate')
  const live = releases.data?.find(({ state }) => state === 'live')
  const guard = useGuard(candidate !== undefined)
  const metricsOf = (number: number) => guard.data?.find(({ release }) => release === number)
  const liveMetrics = live && metricsOf(live.number)
  const { again } = releases
  return (
    <Page title={say('review.releases.title')} lead={say('review.releases.lead')}>
      {candidate && (
        <RolloutCard release={candidate} metrics={metricsOf(candidate.number)} series={guard.series(candidate.number)} onDone={again} />
      )}
      {live && liveMetrics && (
        <Card title={say('review.releases.live', { number: live.number })}>
          <GuardMetricsView metrics={liveMetrics} series={guard.series(live.number)} />
        </Card>
      )}
      {releases.error && !releases.data && <ErrorState error={releases.error} again={again} />}
      {!releases.data && !releases.error && <Skeleton rows={6} />}
      {releases.data?.length === 0 && <EmptyState icon={Rocket} title={say('review.releases.none')} />}
      {releases.data && releases.data.length > 0 && (
        <Table
          label={say('review.releases.title')}
          rows={releases.data}
          keyOf={({ number }) => number}
          onOpen={({ number }) => navigate(`/release/${number}`)}
          columns={[
            {
              id: 'number',
              head: say('review.releases.number'),
              main: true,
              cell: ({ number }) => (
                <Link className="link" to={`/release/${number}`} onClick={(event) => event.stopPropagation()}>
                  #{number}
                </Link>
              ),
            },
            { id: 'state', head: say('review.releases.state'), cell: (release) => <ReleaseStateBadge release={release} /> },
            {
              id: 'note',
              head: say('review.releases.note'),
              grow: true,
              cell: (release) => release.note || say(`review.releases.kind_${release.kind}`, { from: release.from ?? '' }),
            },
            { id: 'author', head: say('review.releases.author'), cell: madeBy },
            { id: 'approver', head: say('review.releases.approver'), cell: ({ approver }) => approver ?? '—' },
            {
              id: 'flows',
              head: say('review.releases.flows'),
              cell: ({ flows }) => (
                <Badge tone={flows === 'passed' ? 'good' : flows === 'failed' ? 'bad' : 'neutral'}>{say(`review.flows.${flows}`)}</Badge>
              ),
            },
            { id: 'at', head: say('review.releases.at'), cell: ({ at }) => <span title={exactly(at, tag)}>{when(at, tag)}</span> },
            {
              id: 'back',
              head: '',
              end: true,
              cell: (release) => release.state === 'past' && <RollbackButton small release={release} onDone={again} />,
            },
          ]}
        />
      )}
    </Page>
  )
}
