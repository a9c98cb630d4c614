import { useEffect, useEffectEvent } from 'react'
import { feedLimits } from '#contract/feed.ts'
import { useClock, useEngineText, useFeedHealth, useQuoteAge, useQuotes, type ViewProps } from '#renderer/widget-api.ts'
import styles from '#widgets/feed-notice/FeedNotice.module.css'
import type { FeedNoticeProps } from '#widgets/feed-notice/feed-notice.props.ts'
import { type Notice, noticeOf } from '#widgets/feed-notice/feed-notice.rules.ts'

const none: readonly string[] = []

const quietSeconds = feedLimits.priceQuietAfterMs / 1_000
const blockedSeconds = feedLimits.priceBlockedAfterMs / 1_000

/**
 * Shows the source of prices and how current they are. Running seconds are visual only: a screen reader announces one sentence when the
 * kind of notice changes.
 */
export function FeedNotice({ root, props: { simulated = false, source, symbol }, emit }: ViewProps<FeedNoticeProps, 'change'>) {
  const say = useEngineText()
  const { state } = useFeedHealth()
  useClock(1_000)
  const quoteAge = useQuoteAge()
  useQuotes(symbol === undefined ? none : [symbol])
  const ageMs = (symbol === undefined ? undefined : quoteAge(symbol)) ?? quoteAge()
  const notice = noticeOf({ state, ageMs, simulated })
  const notify = useEffectEvent((kind: Notice) => emit('change', kind))
  useEffect(() => notify(notice), [notice])
  const words: Record<Notice, string> = {
    down: say('widget.chart_reconnecting'),
    blocked: say('widget.chart_trading_paused', { seconds: blockedSeconds }),
    old: say('widget.chart_prices_old', { seconds: Math.floor((ageMs ?? 0) / 1_000) }),
    simulated: say('widget.chart_simulated_prices'),
    none: '',
  }
  const heard = notice === 'old' ? say('widget.chart_prices_older_than', { seconds: quietSeconds }) : words[notice]
  return (
    <div {...root} role="status" className={styles.place} data-notice={notice} data-source={source}>
      {notice !== 'none' && (
        <>
          <span className={styles.pill} data-notice={notice} aria-hidden="true">
            {words[notice]}
          </span>
          <span className="visually-hidden">{heard}</span>
        </>
      )}
    </div>
  )
}
