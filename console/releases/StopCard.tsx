import { useLocaleTag, useWords } from '#console/io/words.ts'
import { Card } from '#console/parts/layout/Page.tsx'
import { exactly } from '#console/parts/when.ts'
import { GuardMetricsView } from '#console/releases/Guard.tsx'
import styles from '#console/releases/Release.module.css'
import { limitOf } from '#console/releases/release.rules.ts'
import type { ReleaseStop } from '#language/publish/publishing.ts'

/** Why a release was stopped: the broken limit in the operator's language, and the measured value. */
export function StopReason({ stop }: { stop: ReleaseStop }) {
  const say = useWords()
  const limit = limitOf(stop.reason)
  return (
    <>
      {limit && <p>{say(`review.stop.${limit}`)}</p>}
      <p className={limit && 'quiet'}>{limit ? stop.reason.slice(limit.length + 1).trim() : stop.reason}</p>
    </>
  )
}

/** Shows the person or guard that stopped a release, the time and the reason, with the metrics and documents that led to it. */
export function StopCard({ stop }: { stop: ReleaseStop }) {
  const say = useWords()
  const tag = useLocaleTag()
  const at = exactly(stop.at, tag)
  const screens = stop.figures?.screens ?? []
  return (
    <Card tone="bad" title={stop.automatic ? say('review.stop.automatic', { at }) : say('review.stop.by', { at, name: stop.by })}>
      <StopReason stop={stop} />
      {stop.figures && <GuardMetricsView metrics={stop.figures} series={[]} />}
      {screens.length > 0 && (
        <div>
          <p>{say('review.stop.screens')}</p>
          <ul className={styles.screens}>
            {screens.map(({ document, broken }) => (
              <li key={document}>
                <code>{document}</code> {say('review.stop.broken', { count: broken })}
              </li>
            ))}
          </ul>
        </div>
      )}
    </Card>
  )
}
