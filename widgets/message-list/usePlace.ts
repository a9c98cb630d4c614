import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { arrivals, drawnFrom, keyOf, type Message, messageLimits } from '#widgets/message-list/messages.rules.ts'

/** Distance in px within which an end counts as reached. */
const near = { bottom: 48, top: 240 } as const

interface Place {
  scroller: RefObject<HTMLDivElement | null>
  /** The rendered messages, from the oldest to the newest. */
  drawn: readonly Message[]
  /** Messages of others that arrived below while the reader was further up. */
  fresh: number
  away: boolean
  /** Announcement of changes by screen readers: older messages added at the top are not announced. */
  live: 'polite' | 'off'
  toBottom: () => void
}

const endOf = (box: HTMLElement, key: string | undefined): number | undefined => {
  const row = key === undefined ? null : box.querySelector<HTMLElement>(`[data-message="${CSS.escape(key)}"]`)
  return row ? row.offsetTop + row.offsetHeight : undefined
}

/**
 * Keeps the scroll position: at the bottom new messages scroll into view, further up nothing moves. Near the top older messages are
 * rendered.
 * @param atTop called when the top of all loaded messages comes near or is left
 */
export function usePlace(messages: readonly Message[], atTop: (near: boolean) => void): Place {
  const scroller = useRef<HTMLDivElement>(null)
  const at = useRef<{ bottom: boolean; oldest: string | undefined; oldestEnd: number; known: ReadonlySet<string> }>({
    bottom: true,
    oldest: undefined,
    oldestEnd: 0,
    known: new Set(),
  })
  const [oldest, setOldest] = useState<string>()
  const [fresh, setFresh] = useState(0)
  const [away, setAway] = useState(false)
  const from = drawnFrom(messages, oldest)
  const drawn = from === 0 ? messages : messages.slice(from)
  const first = drawn[0] && keyOf(drawn[0])
  const last = drawn.length > 0 ? keyOf(drawn.at(-1)!) : undefined
  const [ends, setEnds] = useState<{ first: string | undefined; last: string | undefined; live: 'polite' | 'off' }>({
    first,
    last,
    live: 'polite',
  })
  if (ends.first !== first || ends.last !== last) setEnds({ first, last, live: ends.last === last ? 'off' : 'polite' })

  const toBottom = () => {
    const box = scroller.current
    if (!box) return
    box.scrollTop = box.scrollHeight
    at.current.bottom = true
    setFresh(0)
    setAway(false)
  }
  const look = useEffectEvent(() => {
    const box = scroller.current
    if (!box) return
    const below = box.scrollHeight - box.scrollTop - box.clientHeight
    const nearTop = box.scrollTop <= near.top
    at.current.bottom = below <= near.bottom
    setAway(below > box.clientHeight)
    if (at.current.bottom) setFresh(0)
    if (nearTop && from > 0) setOldest(keyOf(messages[Math.max(0, from - messageLimits.page)]!))
    else if (at.current.bottom && drawn.length > messageLimits.drawnMax) setOldest(undefined)
    // While the reader is not at the bottom, rendered messages stay, whatever arrives.
    else if (!at.current.bottom && oldest === undefined) setOldest(first)
    atTop(nearTop && from === 0)
  })

  // After each change of the rows, before the paint.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the place is kept when the rows change, and only then
  useLayoutEffect(() => {
    const box = scroller.current
    if (!box) return
    const { known, oldest: before, oldestEnd } = at.current
    const { fresh: came, sent } = arrivals(known, messages)
    const moved = endOf(box, before)
    if (at.current.bottom || sent) toBottom()
    else {
      if (moved !== undefined && first !== before) box.scrollTop += moved - oldestEnd
      if (came > 0) setFresh((n) => n + came)
    }
    at.current = { bottom: at.current.bottom, oldest: first, oldestEnd: endOf(box, first) ?? 0, known: new Set(messages.map(keyOf)) }
    look()
  }, [messages, first])

  useEffect(() => {
    const box = scroller.current
    if (!box) return
    box.addEventListener('scroll', look, { passive: true })
    // A reader at the bottom stays there when pictures load, the text size changes or a keyboard opens.
    const watch = new ResizeObserver(() => {
      if (at.current.bottom) box.scrollTop = box.scrollHeight
      at.current.oldestEnd = endOf(box, at.current.oldest) ?? 0
    })
    watch.observe(box)
    if (box.firstElementChild) watch.observe(box.firstElementChild)
    return () => {
      box.removeEventListener('scroll', look)
      watch.disconnect()
    }
  }, [])
  return { scroller, drawn, fresh, away, live: ends.live, toBottom }
}
