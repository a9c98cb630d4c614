import type { Locator, Page } from 'playwright'
import { node } from '#tests/support/browser/journey.ts'

/** A price of the page as it is sent, and as the server writes it. */
export const bare = (price: string) => price.replaceAll(',', '')
export const plain = (price: string) => bare(price).replace(/\.?0+$/, '')

/** The lines of a chart that can be moved, and the prompt that a moved one brings. */
export function chartLines(page: Page) {
  const lines = (kind: string) => node(page, 'chart').locator(`[data-line="${kind}"]`)
  const prompt = page.getByRole('alertdialog')
  return {
    lines,
    prompt,
    at: (kind: string, price: string) => lines(kind).filter({ hasText: price }),
    async answer(button: '.prompt-ok' | '.prompt-cancel') {
      await page.locator(button).click()
      await prompt.waitFor({ state: 'detached' })
    },
    /**
     * Moves a line down by so many px, again and again until its price will do, and lets go of it. A handle that stands apart from its line,
     * because another is near, brings the line to the pointer first.
     * @returns its price when it was let go of
     */
    async drag(found: Locator, px: number, willDo: (price: number) => boolean = () => true) {
      // By the element, because the locator goes by the price, which changes under the pointer.
      const line = (await found.elementHandle())!
      await line.scrollIntoViewIfNeeded()
      const box = (await line.boundingBox())!
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
      await page.mouse.move(x, y)
      await page.mouse.down()
      const step = async (times: number): Promise<string> => {
        await page.mouse.move(x, y + times * px, { steps: 4 })
        const price = (await line.getAttribute('aria-valuetext'))!
        return willDo(Number(plain(price))) ? price : step(times + 1)
      }
      const price = await step(1)
      await page.mouse.up()
      return price
    },
  }
}
