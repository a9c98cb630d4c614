import type { Page } from 'playwright'

/** State of the page at one moment, for tests. */
export interface Look {
  /** The current screen; '' without one. */
  screen: string
  /** Drawn nodes and fields (`form-email` for a field), and whether they are enabled. */
  nodes: Record<string, boolean>
  /** Widgets that threw an error. */
  broken: string[]
  /** Text keys shown instead of texts, and texts such as "undefined" that only a mistake shows. */
  odd: string[]
  /** Pixels by which the page is wider than its window, with the nodes that reach furthest. */
  overflow: { px: number; nodes: string[] } | null
  /** The page shows no text. */
  blank: boolean
}

/** @param areas text areas: `account` for keys account.… */
export function lookAt(page: Page, areas: readonly string[]): Promise<Look> {
  return page.evaluate((names) => {
    const screens = [...document.querySelectorAll<HTMLElement>('[data-screen]')].filter((one) => one.dataset.screen !== 'loading')
    const screen = screens.at(-1)
    const nodes: Record<string, boolean> = {}
    for (const element of document.querySelectorAll<HTMLElement>('[data-node]')) {
      const control = element.matches('button, input, select, textarea, a')
        ? element
        : element.querySelector('button, input, select, textarea')
      const usable = !(control as HTMLButtonElement | null)?.disabled && control?.getAttribute('aria-disabled') !== 'true'
      nodes[element.dataset.node ?? ''] = usable
    }
    const odd = new Set<string>()
    const key = new RegExp(`^(?:${names.join('|')})\\.[a-z0-9_]+(?:\\.[a-z0-9_]+)*$`)
    const judge = (text: string) => {
      for (const word of text.split(/\s+/)) if (key.test(word)) odd.add(word)
      if (/\{\{|\[object |(?:^|[\s(])(?:undefined|NaN)(?:$|[\s).,])/.test(text)) odd.add(text.trim().slice(0, 60))
    }
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let text = walker.nextNode(); text; text = walker.nextNode())
      if (!/^(?:SCRIPT|STYLE)$/.test(text.parentElement?.tagName ?? '')) judge(text.nodeValue ?? '')
    for (const element of document.querySelectorAll('[aria-label], [placeholder], [title], [alt]'))
      for (const name of ['aria-label', 'placeholder', 'title', 'alt']) judge(element.getAttribute(name) ?? '')
    const { scrollWidth } = document.documentElement
    const px = scrollWidth - innerWidth
    const wide =
      px > 0
        ? [...document.querySelectorAll<HTMLElement>('[data-node]')].filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
        : []
    return {
      screen: screen?.dataset.screen ?? '',
      nodes,
      broken: [...document.querySelectorAll<HTMLElement>('[data-broken]')].map((one) => one.dataset.broken ?? ''),
      odd: [...odd],
      overflow: px > 0 ? { px, nodes: wide.slice(-3).map((one) => one.dataset.node ?? '') } : null,
      blank: (screen?.innerText.trim() ?? '') === '',
    }
  }, areas)
}

const heightMax = 6_000

/** Serious and critical findings of axe, a development dependency. @throws when it is not installed */
export async function axeFindings(page: Page): Promise<string[]> {
  const { AxeBuilder } = await import('@axe-core/playwright')
  const before = page.viewportSize()
  const heightOf = () => page.evaluate(() => document.documentElement.scrollHeight)
  const look = () =>
    new AxeBuilder({ page })
      .setLegacyMode()
      .options({ resultTypes: ['violations'] })
      .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
      .analyze()
  // axe reports controls covered by the bottom bar as too small, so the window shows the whole page, also when it grows.
  let seen = before?.height ?? heightMax
  let found: Awaited<ReturnType<typeof look>> | undefined
  for (let height = await heightOf(); !found || (height > seen && seen < heightMax); height = await heightOf()) {
    if (before && height > seen) {
      seen = Math.min(height + 100, heightMax)
      await page.setViewportSize({ ...before, height: seen })
    }
    found = await look()
  }
  const { violations } = found
  if (before && seen > before.height) await page.setViewportSize(before)
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.target.join(' ') ?? ''}${nodes.length > 1 ? ` and ${nodes.length - 1} more` : ''}`)
}
