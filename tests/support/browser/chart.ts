import type { Page } from 'playwright'
import { expect } from 'vitest'

const canvasSize = (page: Page) =>
  page
    .locator('[data-node="chart"] canvas')
    .evaluateAll((all) =>
      all.map((one) => one.getBoundingClientRect()).reduce((most, box) => Math.max(most, Math.min(box.width, box.height)), 0),
    )
const legend = (page: Page) => page.locator('[data-node="chart"] p[aria-hidden="true"]').first().innerText()
/** Waits until the chart has a canvas with a size, and figures in its legend. */
export const drawn = async (page: Page) => {
  await page.locator('[data-node="chart"] canvas').first().waitFor()
  await expect.poll(() => canvasSize(page)).toBeGreaterThan(100)
  await expect.poll(() => legend(page)).toMatch(/O\s*[\d.,]+[\s\S]*H\s*[\d.,]+[\s\S]*L\s*[\d.,]+[\s\S]*C\s*[\d.,]+/)
}
/** Painted pixels of the canvas, by kind of colour. */
export const inked = (page: Page) =>
  page.locator('[data-node="chart"] canvas').evaluateAll((all) =>
    all.reduce((sum, one) => {
      const canvas = one as HTMLCanvasElement
      const data = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? new Uint8ClampedArray()
      let n = 0
      for (let i = 0; i < data.length; i += 4) {
        const [r = 0, g = 0, b = 0, a = 0] = [data[i], data[i + 1], data[i + 2], data[i + 3]]
        if (a > 100 && Math.max(r, g, b) - Math.min(r, g, b) > 60) n++
      }
      return sum + n
    }, 0),
  )
export const summary = (page: Page) => page.locator('[data-node="chart"] [data-part="summary"]').innerText()
