import type { Page } from 'playwright'

/** Runs in the page: notes what it tells, since a toast may be gone before a test on a busy machine looks for it. */
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

/** What the page has told since `watchTold` or `forgetTold`: tones and words of toasts, problems at fields, titles of prompts. */
export const told = (page: Page) => page.evaluate(() => (window as unknown as { told: string[] }).told)

/** What was told so far does not count. */
export const forgetTold = (page: Page) => page.evaluate(() => void (window as unknown as { told: string[] }).told.splice(0))
