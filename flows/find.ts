import type { Locator, Page } from 'playwright'
import { handOver } from '#flows/hand.ts'

/** Finds what a flow names: nodes by id, fields by name, rows by key or index. */

const settleMs = 10_000
const quoted = (text: string) => JSON.stringify(text)

/** @returns the first locator that has elements; `otherwise`, or the first of all, when none has */
async function firstOf(places: readonly Locator[], otherwise = places[0]): Promise<Locator> {
  for (const place of places) if ((await place.count()) > 0) return place
  return otherwise as Locator
}

/**
 * Elements of a node or of a form's field. With `fills`, a field takes precedence over a node of the same name. Elements of a page that was
 * opened beside the screen take precedence over those of the screen. `exits.0.price` is a field in the first row of a field with rows.
 */
export function elementsOf(page: Page, name: string, fills = false): Promise<Locator> {
  const [, rows, row, cell] = /^([^.]+)\.(\d+)\.([^.]+)$/.exec(name) ?? []
  if (rows !== undefined && cell !== undefined) {
    const line = page.locator(`form [data-node$=${quoted(`-${rows}`)}] > ol > li`).nth(Number(row))
    return Promise.resolve(line.locator(`[data-node$=${quoted(`-${cell}`)}]`))
  }
  const node = page.locator(`[data-node=${quoted(name)}]`)
  const field = page.locator(`form [data-node$=${quoted(`-${name}`)}]`).filter({ has: page.locator('input, textarea, select, button') })
  const beside = page.locator('.beside')
  const places = fills ? [field, node] : [node, field]
  return firstOf([...places.map((place) => place.and(beside.locator('[data-node]'))), ...places], places[0])
}

export async function elementOf(page: Page, name: string, row?: string | number, fills = false): Promise<Locator> {
  const all = await elementsOf(page, name, fills)
  if (row === undefined) return all.first()
  if (typeof row === 'number') return (await firstOf([all.nth(row), all.first().locator('[data-key]').nth(row)])).first()
  const key = `[data-key=${quoted(row)}]`
  const own = page.locator(`[data-node=${quoted(name)}]${key}`)
  return (await firstOf([own, all.locator(key), page.locator(`${key} [data-node=${quoted(name)}]`)])).first()
}

const control = 'button, a, summary, select, input, textarea, [role=button], [role=switch], [role=combobox]'

/** The largest control: in a row, the row itself and not its star. */
async function largestOf(all: Locator): Promise<Locator> {
  const at = await all.evaluateAll((elements) => {
    const areas = elements.map((one) => one.clientWidth * one.clientHeight)
    return areas.indexOf(Math.max(...areas))
  })
  return all.nth(Math.max(0, at))
}

/**
 * The element to press: the element itself if possible, the submit button of a form wherever it stands, otherwise the largest control inside
 * it. Undefined while there is none, because a form in a sheet that has just opened may still be loading.
 */
export async function pressable(element: Locator): Promise<Locator | undefined> {
  if (await element.evaluate((one, css) => one.matches(css), control)) return element
  const submit = element.locator('button[type=submit]')
  if ((await submit.count()) > 0) return submit.first()
  // The button of a form may stand at the foot of the page.
  const form = await element.evaluate((one) => (one.matches('form') ? one : one.querySelector('form'))?.id ?? '')
  const away = element.page().locator(`button[type=submit][form="${form}"]`)
  if (form !== '' && (await away.count()) > 0) return away.first()
  for (const css of ['button, a, summary, [role=button], [role=switch]', control]) {
    const inside = element.locator(css)
    if ((await inside.count()) > 0) return largestOf(inside)
  }
  return undefined
}

/** The tick that accepts a warning is not the value of the field. */
const tickBox = 'input[type=checkbox]:not([data-accept])'
const holdsValue = 'input, textarea, select, [role=combobox], [role=switch]'
export const takesValues = (element: Locator): Promise<boolean> =>
  element.evaluate((one, css) => one.matches(css) || one.querySelector(css) !== null, holdsValue)

export async function isEnabled(element: Locator): Promise<boolean> {
  const target = (await pressable(element)) ?? element
  return target.evaluate((one) => !(one as HTMLButtonElement).disabled && one.getAttribute('aria-disabled') !== 'true')
}

/** Value of a control: text, a tick, the chosen option. Undefined without a control. */
export function heldBy(element: Locator): Promise<unknown> {
  return element.evaluate((one, tick) => {
    const inside = <T extends Element>(css: string) => (one.matches(css) ? (one as unknown as T) : one.querySelector<T>(css))
    const toggle = inside('[role=switch]')
    if (toggle) return toggle.getAttribute('aria-checked') === 'true'
    const ticked = inside<HTMLInputElement>(tick)
    if (ticked) return ticked.checked
    if (inside('input[type=radio]')) return one.querySelector<HTMLInputElement>('input[type=radio]:checked')?.value ?? null
    const track = inside<HTMLInputElement>('input[type=range]')
    // A slider has its value in a field beside the track or in its accessible value.
    if (track) return one.querySelector<HTMLInputElement>('input:not([type=range])')?.value ?? track.getAttribute('aria-valuetext')
    const tab = one.querySelector('[role=tab][aria-selected=true], [aria-pressed=true], [role=radio][aria-checked=true]')
    if (tab) return tab.textContent
    const box = inside<HTMLInputElement>('select, textarea, input')
    if (box) return box.value
    return inside('[role=combobox]')?.textContent ?? undefined
  }, tickBox)
}

/** Chooses one option of a node, by id or by text. */
export async function choose(page: Page, element: Locator, id: string | undefined, words: RegExp): Promise<void> {
  const select = element.locator('select')
  if ((await select.count()) > 0) {
    const values = await select
      .first()
      .evaluate((one) => [...(one as HTMLSelectElement).options].map(({ value, label }) => ({ value, label })))
    const wanted = values.find(({ value }) => value === id) ?? values.find(({ label }) => words.test(label))
    if (!wanted) throw new Error(`the options are ${values.map(({ value }) => value).join(', ')}`)
    await select.first().selectOption(wanted.value)
    return
  }
  const picker = element.locator('[role=combobox]:not(input)')
  if ((await picker.count()) > 0) {
    await picker.first().click()
    await page.getByRole('option', { name: words }).first().click()
    return
  }
  const radio = id === undefined ? undefined : element.locator(`label:has(input[value=${quoted(id)}])`)
  const keyed = id === undefined ? undefined : element.locator(`[data-key=${quoted(id)}]`)
  const whole = new RegExp(`^\\s*(?:${words.source})\\s*$`, words.flags)
  const spoken = element.locator('label, a, summary, button, [role=tab], [role=option], [role=radio]')
  const places = [
    ...(radio ? [radio] : []),
    ...(keyed ? [keyed] : []),
    spoken.filter({ hasText: whole }),
    spoken.filter({ hasText: words }),
  ]
  for (const place of places) {
    if ((await place.count()) === 0) continue
    await place.first().click()
    return
  }
  const offered = (await spoken.allInnerTexts()).map((text) => text.trim().replace(/\s+/g, ' '))
  throw new Error(`there is no such option; there are ${offered.filter(Boolean).join(' · ') || 'none'}`)
}

/** Presses a checkbox until it has the wanted state; a busy page may handle a press late. */
async function turn(tick: Locator, on: boolean): Promise<void> {
  const deadline = Date.now() + settleMs
  while ((await tick.isChecked()) !== on) {
    if (Date.now() > deadline) throw new Error(`the tick does not turn ${on ? 'on' : 'off'}`)
    await tick.click()
    for (let n = 0; n < 20 && (await tick.isChecked()) !== on; n++) await tick.page().waitForTimeout(50)
  }
}

/** Enters a value as a person does. */
export async function fill(page: Page, element: Locator, value: unknown, words: RegExp): Promise<void> {
  const tick = element.locator(tickBox)
  if ((await tick.count()) > 0) return turn(tick.first(), Boolean(value))
  const toggle = (await element.getAttribute('role')) === 'switch' ? element : element.locator('[role=switch]').first()
  if ((await toggle.count()) > 0) {
    if (((await toggle.getAttribute('aria-checked')) === 'true') !== Boolean(value)) await toggle.click()
    return
  }
  if ((await element.locator('input[type=file]').count()) > 0) return handOver(element, String(value ?? ''))
  const own = await element.evaluate((one) => one.matches('input, textarea'))
  const box = own ? element : element.locator('input:not([type=radio], [type=file]), textarea').first()
  if (own || (await box.count()) > 0) return box.fill(String(value ?? ''))
  return choose(page, element, String(value), words)
}
