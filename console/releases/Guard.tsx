import { useLocaleTag, useWords } from '#console/io/words.ts'
import { Badge } from '#console/parts/Badge.tsx'
import styles from '#console/releases/Guard.module.css'
import { heightOf, linePath, verdictOf } from '#console/releases/release.rules.ts'
import type { GuardPoint } from '#console/releases/useGuard.ts'
import type { GuardMetrics } from '#language/publish/publishing.ts'

const verdictTones = { healthy: 'good', watching: 'info', suspect: 'warn', bad: 'bad', unseen: 'neutral' } as const

/** The metrics of a release in one line. */
export function GuardLine({ metrics }: { metrics: GuardMetrics | undefined }) {
  const say = useWords()
  const tag = useLocaleTag()
  if (!metrics) return <span className="quiet">{say('review.guard.none')}</span>
  const { shown, errorRate, latencyMs } = metrics
  const verdict = verdictOf(metrics)
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

/** Share of broken screens from which the guard acts. */
const errorLimit = 0.01

/** The metrics of a release as figures and small charts. */
export function GuardMetricsView({ metrics, series }: { metrics: GuardMetrics; series: readonly GuardPoint[] }) {
  const say = useWords()
  const tag = useLocaleTag()
  const percent = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 2 })
  const number = new Intl.NumberFormat(tag)
  const { shown, broken, refused, failed, latencyMs, errorRate, reason } = metrics
  const verdict = verdictOf(metrics)
  const rates = series.map((point) => point.errorRate)
  const waits = series.map((point) => point.latencyMs)
  const rateMax = Math.max(errorLimit * 1.5, ...rates)
  const waitMax = Math.max(1, ...waits.map((ms) => ms ?? 0)) * 1.2
  const most = Math.max(1, broken, refused, failed)
  return (
    <div className={styles.metrics}>
      <div className={styles.metric}>
        <span className="quiet">{say('review.guard.rate')}</span>
        <span className={styles.value}>{percent.format(errorRate)}</span>
        <svg
          className={styles.chart}
          viewBox="0 0 100 40"
          preserveAspectRatio="none"
          role="img"
          aria-label={say('review.guard.rate_chart', { limit: percent.format(errorLimit) })}
        >
          <line x1={0} x2={100} y1={heightOf(errorLimit, rateMax)} y2={heightOf(errorLimit, rateMax)} />
          <path d={linePath(rates, rateMax)} />
        </svg>
        <span>
          <Badge tone={verdictTones[verdict]} title={reason}>
            {say(`review.guard.${verdict}`)}
          </Badge>
        </span>
      </div>
      <div className={styles.metric}>
        <span className="quiet">{say('review.guard.wait')}</span>
        <span className={styles.value}>{latencyMs === null ? '—' : say('review.checks.ms', { ms: Math.round(latencyMs) })}</span>
        <svg
          className={styles.chart}
          viewBox="0 0 100 40"
          preserveAspectRatio="none"
          role="img"
          aria-label={say('review.guard.wait_chart')}
        >
          <path d={linePath(waits, waitMax)} />
        </svg>
      </div>
      <div className={styles.metric}>
        <span className="quiet">{say('review.guard.screens')}</span>
        <span className={styles.value}>{number.format(shown)}</span>
        <div className={styles.bars}>
          {(
            [
              ['broken', broken],
              ['refused', refused],
              ['failed', failed],
            ] as const
          ).map(([name, count]) => (
            <div key={name} className={styles.bar}>
              <span>{say(`review.guard.${name}`)}</span>
              <span className={styles.track} aria-hidden>
                <svg viewBox="0 0 100 8" preserveAspectRatio="none">
                  <title>{say(`review.guard.${name}`)}</title>
                  <rect width={(count / most) * 100} height={8} fill="var(--down)" />
                </svg>
              </span>
              <span>{number.format(count)}</span>
            </div>
          ))}
        </div>
      </div>
    </div>
  )
}
