import type { Kept } from '#renderer/engine/kept.ts'

/** Where a page and the lists on it are scrolled to. */

type Places = Kept['places']

const placesMax = 20
/** How long a page may grow until it is as long as before. A page that the customer touches sooner keeps the customer's position. */
const restoreMs = 5_000
/** Parts of a pixel get lost. */
const nearPx = 2
const touches = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const

const main = () => document.getElementById('main')
const here = (part: Element | null): readonly [number, number] => (part ? [part.scrollLeft, part.scrollTop] : [scrollX, scrollY])
const nodes = (id: string) => [...(main()?.querySelectorAll(`[data-node="${CSS.escape(id)}"]`) ?? [])]

/** Name of what scrolls: its node, which of the nodes of that name, and the way down from there. Empty for the page, undefined outside of it. */
function nameOf(part: Element): string | undefined {
  const node = main()?.contains(part) && part.closest('[data-node]')
  if (!node) return undefined
  const id = node.getAttribute('data-node') ?? ''
  const way: number[] = []
  for (let at = part; at !== node && at.parentElement; at = at.parentElement) way.unshift([...at.parentElement.children].indexOf(at))
  return [id, nodes(id).indexOf(node), ...way].join('/')
}

function partOf(name: string): Element | null | undefined {
  if (name === '') return null
  const [id = '', which, ...way] = name.split('/')
  return way.reduce<Element | undefined>((at, index) => at?.children[Number(index)], nodes(id)[Number(which)])
}

/**
 * Writes down each scroll of the page and of what scrolls on it.
 * @param places is changed
 * @param wants false for a name whose place is not to be changed now
 * @returns ends it
 */
export function notePlaces(places: Places, wants: (name: string, at: readonly [number, number]) => boolean): () => void {
  const note = ({ target }: Event) => {
    const part = target instanceof Element && target !== document.documentElement && target !== document.body ? target : null
    const name = part ? nameOf(part) : ''
    if (name === undefined) return
    const at = here(part)
    if (!wants(name, at)) return
    if (name in places || Object.keys(places).length < placesMax) places[name] = at
  }
  const options = { capture: true, passive: true }
  document.addEventListener('scroll', note, options)
  return () => document.removeEventListener('scroll', note, options)
}

export interface Restoring {
  /** Whether somebody has scrolled there; not: it is on its way, or what it shows is still too short. */
  yields(name: string, at: readonly [number, number]): boolean
  end(): void
}

/** Scrolls to where everything was, again and again while the page comes, until somebody touches it. */
export function restorePlaces(places: Readonly<Places>): Restoring {
  const left = new Map(Object.entries(places))
  const apply = () => {
    for (const [name, [x, y]] of left) {
      const part = partOf(name)
      if (part === undefined) continue
      const [nowX, nowY] = here(part)
      if (Math.abs(nowX - x) >= nearPx || Math.abs(nowY - y) >= nearPx) (part ?? window).scrollTo({ left: x, top: y, behavior: 'instant' })
    }
  }
  const grown = new ResizeObserver(apply)
  const changed = new MutationObserver(apply)
  const end = () => {
    left.clear()
    grown.disconnect()
    changed.disconnect()
    clearTimeout(timer)
    for (const touch of touches) removeEventListener(touch, end, true)
  }
  const timer = setTimeout(end, restoreMs)
  if (left.size > 0) {
    apply()
    grown.observe(document.body)
    const body = main()
    if (body) changed.observe(body, { childList: true, subtree: true })
    for (const touch of touches) addEventListener(touch, end, { capture: true, passive: true })
  } else end()
  return {
    yields(name, at) {
      const goal = left.get(name)
      if (!goal) return true
      const part = partOf(name)
      const box = part ?? document.documentElement
      const reaches = box.scrollHeight - box.clientHeight >= goal[1] && box.scrollWidth - box.clientWidth >= goal[0]
      const moved = Math.abs(at[0] - goal[0]) >= nearPx || Math.abs(at[1] - goal[1]) >= nearPx
      if (reaches && moved) left.delete(name)
      return reaches && moved
    },
    end,
  }
}
