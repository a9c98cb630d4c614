import type { Locator } from 'playwright'

/** Two taps lie so far apart when they are meant as one, or when the first seems not to have been taken. */
const tapGapMs = 30

/** Taps twice at one place, whatever is there the second time; in the page, because two taps from outside may lie seconds apart on a busy machine. */
export const tapTwice = (target: Locator, gapMs = tapGapMs): Promise<void> =>
  target.evaluate(async (one, ms) => {
    one.scrollIntoView({ block: 'center' })
    const { left, top, width, height } = one.getBoundingClientRect()
    const tap = () => {
      const found = document.elementFromPoint(left + width / 2, top + height / 2)
      const control = found?.closest<HTMLElement>('button, a, label') ?? found
      if (control instanceof HTMLElement) control.click()
    }
    tap()
    await new Promise((done) => setTimeout(done, ms))
    tap()
  }, gapMs)
