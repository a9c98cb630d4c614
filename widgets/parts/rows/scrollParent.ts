/** The nearest scrolling ancestor; null when it is the window. */
export function scrollParent(element: Element): HTMLElement | null {
  for (let up = element.parentElement; up && up !== document.body && up !== document.documentElement; up = up.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(up).overflowY)) return up
  }
  return null
}
