import type { Page } from 'playwright'

/** Runs in the page and records its messages, because a toast may disappear before a slow test looks for it. */
export const watchTold = () => {
  const seen: string[] = []
  Object.assign(window, { told: seen })
  const known = new WeakSet<Element>()
  const look = () => {
    for (const one of window.document.querySelectorAll<HTMLElement>('.toast, [id$="-problem"], [role=alertdialog]')) {
      if (known.has(one)) continue
      known.add(one)
      const title = one.querySelector('.prompt-title')?.textContent
      seen.push(title ? `asks ${title}` : one.matches('.toast') ? `${one.dataset.tone} ${one.textContent}` : `wrong ${one.textContent}`)
    }
  }
  new MutationObserver(look).observe(window.document, { childList: true, subtree: true })
}

/** Messages since `watchTold` or `forgetTold`: tones and texts of toasts, problems of fields, titles of prompts. */
export const told = (page: Page) => page.evaluate(() => (window as unknown as { told: string[] }).told)

/** Clears the recorded messages. */
export const forgetTold = (page: Page) => page.evaluate(() => void (window as unknown as { told: string[] }).told.splice(0))
