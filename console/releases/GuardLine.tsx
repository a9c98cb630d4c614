import { useLocaleTag, useWords } from '#console/io/words.ts'
import { Badge } from '#console/parts/Badge.tsx'
import styles from '#console/releases/Guard.module.css'
import { verdictOf } from '#console/review/verdict.rules.ts'
import type { GuardFigures } from '#language/publish/publishing.ts'

export const verdictTones = { healthy: 'good', watching: 'info', suspect: 'warn', bad: 'bad', unseen: 'neutral' } as const

/** What clients tell of a release, in one line. */
export function GuardLine({ figures }: { figures: GuardFigures | undefined }) {
  const say = useWords()
  const tag = useLocaleTag()
  if (!figures) return <span className="quiet">{say('review.guard.none')}</span>
  const { shown, errorRate, latencyMs } = figures
  const verdict = verdictOf(figures)
  const percent = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 2 })
  return (
    <span className={styles.line}>
      <Badge tone={verdictTones[verdict]}>{say(`review.guard.${verdict}`)}</Badge>
      <span>{say('review.guard.errors', { rate: percent.format(errorRate) })}</span>
      <span className="quiet">{say('review.guard.shown', { count: shown })}</span>
      {latencyMs !== null && <span className="quiet">{say('review.guard.latency', { ms: Math.round(latencyMs) })}</span>}
    </span>
  )
}
