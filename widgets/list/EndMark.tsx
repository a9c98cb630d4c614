import { useEffect, useEffectEvent, useRef } from 'react'
import styles from '#widgets/list/List.module.css'
import { Spinner } from '#widgets/parts/look/Spinner.tsx'
import { asksForMore } from '#widgets/parts/values/end.rules.ts'

interface EndMarkProps {
  count: number
  more: boolean
  loading: boolean
  text: string
  onEnd: () => void
}

/** End of a list: requests the next page when it comes near the window, and shows when there is none. */
export function EndMark({ count, more, loading, text, onEnd }: EndMarkProps) {
  const mark = useRef<HTMLDivElement>(null)
  const askedAt = useRef(-1)
  const see = useEffectEvent((near: boolean) => {
    if (!near) askedAt.current = -1
    if (!asksForMore({ count, more, loading, near, askedAt: askedAt.current })) return
    askedAt.current = count
    onEnd()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new count looks again, because a mark that stays in sight raises no event
  useEffect(() => {
    if (!more || !mark.current) return
    const watch = new IntersectionObserver((seen) => see(seen.at(-1)?.isIntersecting ?? false), { rootMargin: '400px 0px' })
    watch.observe(mark.current)
    return () => watch.disconnect()
  }, [more, count])
  return (
    <div ref={mark} className={styles.end}>
      {loading ? <Spinner now /> : more ? null : <span>{text}</span>}
    </div>
  )
}
