/** Colours of the canvas, from the same CSS variables as the page. */
export interface Look {
  up: string
  down: string
  text: string
  line: string
  accent: string
  warn: string
  raised: string
  font: string
  /** px: grows with the reader's text size. */
  fontPx: number
}

export function readLook(element: Element): Look {
  const style = getComputedStyle(element)
  const colour = (name: string) => style.getPropertyValue(name).trim() || '#888888'
  return {
    up: colour('--up'),
    down: colour('--down'),
    text: colour('--quiet'),
    line: colour('--line'),
    accent: colour('--accent'),
    warn: colour('--warn'),
    raised: colour('--raised'),
    font: style.fontFamily,
    fontPx: Math.round((Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16) * 0.6875),
  }
}

/** Adds an alpha of 0 to 1 to `#rgb` or `#rrggbb`; other notations are returned unchanged. */
export function faint(colour: string, alpha: number): string {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(colour)
  const hex = short
    ? `#${short
        .slice(1)
        .map((c) => c + c)
        .join('')}`
    : colour
  if (!/^#[0-9a-f]{6}$/i.test(hex)) return colour
  return (
    hex +
    Math.round(alpha * 255)
      .toString(16)
      .padStart(2, '0')
  )
}

/** Calls `change` after a change of theme or colours. */
export function onLook(change: () => void): () => void {
  const watch = new MutationObserver(change)
  watch.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'data-colours', 'style', 'class'] })
  return () => watch.disconnect()
}
