import { CircleCheck, OctagonX, TrendingUp } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { readTexts } from '#console/editor/document/read.ts'
import { useWordLanguage } from '#console/editor/document/useWordLanguage.ts'
import type { RolloutRequest } from '#console/io/client.ts'
import { useAsked, useClient } from '#console/io/console.ts'
import { consoleLanguages, type Say, useLocaleTag, useWords } from '#console/io/words.ts'
import { Badge } from '#console/parts/Badge.tsx'
import { Button } from '#console/parts/Button.tsx'
import { type Question, useConfirm } from '#console/parts/dialog/Dialog.tsx'
import { Card } from '#console/parts/layout/Page.tsx'
import { useToast } from '#console/parts/Toast.tsx'
import { useClosed } from '#console/parts/useClosed.ts'
import { GuardMetricsView } from '#console/releases/Guard.tsx'
import { PercentField } from '#console/releases/RolloutFields.tsx'
import { useNamedSegments } from '#console/releases/SegmentPicker.tsx'
import type { GuardPoint } from '#console/releases/useGuard.ts'
import styles from '#console/review/Review.module.css'
import { consoleCalls } from '#contract/console/console.calls.ts'
import type { GuardMetrics, ReleaseInfo, Segment } from '#language/publish/publishing.ts'

/** `English and 日本語 · logged in`: who a segment lets in; empty where it is everybody. */
function segmentText(
  { languages, loggedIn, kyc, caps, named }: Segment,
  labels: ReadonlyMap<string, string>,
  say: Say,
  tag: string,
): string {
  const names = languages?.map((id) => consoleLanguages.find((one) => one.id === id)?.label ?? id)
  const parts = [
    names && new Intl.ListFormat(tag, { type: 'conjunction' }).format(names),
    loggedIn !== undefined && say(`review.rollout.login_${loggedIn ? 'in' : 'out'}`),
    kyc !== undefined && say(`review.rollout.kyc_${kyc}`),
    named && new Intl.ListFormat(tag, { type: 'conjunction' }).format(named.map((id) => labels.get(id) ?? id)),
    caps && say('review.rollout.builds', { count: caps.length }),
  ].filter(Boolean)
  return parts.join(' · ')
}

/** Labels of the segments of a release by their ids. @param wanted loads the documents of the release */
function useSegmentLabels(release: number, wanted: boolean): ReadonlyMap<string, string> {
  const client = useClient()
  const files = useAsked(wanted ? `files.${release}` : null, (signal) => client.files({ release }, signal)).data?.files ?? noFiles
  const [language] = useWordLanguage(Object.keys(readTexts(files)))
  return new Map(useNamedSegments(files, language).map(({ id, label }) => [id, label]))
}
const noFiles = {}

interface RolloutCardProps {
  release: ReleaseInfo
  metrics: GuardMetrics | undefined
  series: readonly GuardPoint[]
  onDone: () => void
}

/** Controls of a rollout: widen it, complete it or stop it. */
export function RolloutCard({ release, metrics, series, onDone }: RolloutCardProps) {
  const say = useWords()
  const tag = useLocaleTag()
  const toast = useToast()
  const confirm = useConfirm()
  const client = useClient()
  const closed = useClosed('publisher')
  const now = release.rollout?.percent ?? 0
  const [percent, setPercent] = useState<number | null>(null)
  const wished = percent ?? now
  const asked = release.rollout?.segment ?? {}
  const labels = useSegmentLabels(release.number, asked.named !== undefined)
  const segment = segmentText(asked, labels, say, tag)
  const act = async (name: string, question: Omit<Question, 'reason'>, request: Omit<RolloutRequest, 'reason'>) => {
    const answer = await confirm({
      ...question,
      reason: {
        label: say('review.reason'),
        required: true,
        input: consoleCalls['releases.rollout'].input.shape.reason,
        send: (reason) => client.rollout({ ...request, release: release.number, reason }),
      },
    })
    if (!answer) return
    setPercent(null)
    toast.good(say(`review.rollout.done_${name}`, { percent: wished, number: release.number }))
    onDone()
  }
  return (
    <Card
      tone={metrics?.verdict === 'bad' ? 'bad' : 'warn'}
      title={say('review.rollout.title', { number: release.number })}
      actions={
        <Link className="link" to={`/release/${release.number}`}>
          {say('review.rollout.look')}
        </Link>
      }
    >
      <p className={styles.build}>
        <Badge tone="info">{say('review.rollout.at', { percent: now })}</Badge>
        {segment && <span className="quiet">{segment}</span>}
        {release.note && <span>{release.note}</span>}
      </p>
      {metrics && <GuardMetricsView metrics={metrics} series={series} />}
      <div className={styles.stack}>
        {!closed && <PercentField percent={wished} onChange={setPercent} />}
        <div className={styles.build}>
          <Button
            icon={TrendingUp}
            disabled={!closed && wished === now}
            closed={closed}
            onClick={() =>
              void act(
                'percent',
                { title: say('review.rollout.percent_title', { percent: wished }), ok: say('review.rollout.percent_ok') },
                { percent: wished },
              )
            }
          >
            {say('review.rollout.set', { percent: wished })}
          </Button>
          <Button
            tone="primary"
            icon={CircleCheck}
            closed={closed}
            onClick={() =>
              void act('complete', { title: say('review.rollout.complete_title'), ok: say('review.rollout.complete') }, { complete: true })
            }
          >
            {say('review.rollout.complete')}
          </Button>
          <Button
            tone="danger"
            icon={OctagonX}
            closed={closed}
            onClick={() =>
              void act(
                'stop',
                {
                  title: say('review.rollout.stop_title'),
                  text: say('review.rollout.stop_text'),
                  ok: say('review.rollout.stop'),
                  danger: true,
                },
                { stop: true },
              )
            }
          >
            {say('review.rollout.stop')}
          </Button>
        </div>
      </div>
    </Card>
  )
}
