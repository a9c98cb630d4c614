import { useEffect, useLayoutEffect, useRef } from 'react'
import { useNavigationType } from 'react-router-dom'
import { keptVisits, type Visit, visitsName } from '#renderer/engine/kept.ts'
import { useEngine } from '#renderer/react/context.ts'
import { notePlaces, restorePlaces } from '#renderer/react/layers/places.ts'

const visitsMax = 50
/** Characters of what one visit keeps; what is longer does not outlive a reload. */
const visitLengthMax = 4_000

/** Keeps the newest visits, for the next reload too. */
function save(): void {
  const visits = keptVisits()
  for (const key of visits.keys()) {
    if (visits.size <= visitsMax) break
    visits.delete(key)
  }
  const rows = [...visits].filter((row) => JSON.stringify(row).length <= visitLengthMax)
  try {
    sessionStorage.setItem(visitsName, JSON.stringify(rows))
  } catch {
    // Full or blocked: the visits live as long as the page.
  }
}

/** Takes away what was kept. The visit that is shown goes on with nothing: its page may be replaced by itself. */
function forget({ key, kept }: Visit): void {
  const visits = keptVisits()
  visits.clear()
  for (const part of [kept.state, kept.places]) for (const name of Object.keys(part)) delete part[name]
  visits.set(key, kept)
  save()
}

/** Nothing of a customer stays for the next one. */
function useForgetting(shown: Visit): void {
  const engine = useEngine()
  const last = useRef(shown)
  last.current = shown
  useEffect(() => {
    const who = () => engine.outer.get('session') as { logged_in: boolean; uid: string }
    let before = who()
    return engine.outer.subscribe('session', () => {
      const now = who()
      if ((before.logged_in && !now.logged_in) || (before.uid && now.uid !== before.uid)) {
        forget(last.current)
      }
      before = now
    })
  }, [engine])
}

/** Focusing measures the whole page, so it waits for the frame that measures it anyway. */
function afterPaint(run: () => void): void {
  requestAnimationFrame(() => setTimeout(run))
}

/** Unless the new page has taken the focus itself. */
function focusMain(): void {
  const main = document.getElementById('main')
  if (!main?.contains(document.activeElement)) main?.focus({ preventScroll: true })
}

/** A new page begins at its top with focus on it; going back, and a reload, find the old places. @param from the visit that the app began with */
export function usePlaces(shown: Visit, from: Visit): void {
  const popped = useNavigationType() === 'POP'
  const last = useRef(from)
  const { number, kept } = shown
  useForgetting(shown)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each page
  useLayoutEffect(() => {
    history.scrollRestoration = 'manual'
    const opened = last.current.number !== number
    last.current = shown
    if (opened && !kept.returned && scrollY > 0) scrollTo(0, 0)
    if (opened && !popped) afterPaint(focusMain)
    const restoring = restorePlaces(kept.returned ? kept.places : {})
    const endNotes = notePlaces(kept.places, restoring.yields)
    return () => {
      restoring.end()
      endNotes()
    }
  }, [number])
  useEffect(() => {
    addEventListener('pagehide', save)
    return () => removeEventListener('pagehide', save)
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page that was left is complete
  useEffect(save, [shown])
}
