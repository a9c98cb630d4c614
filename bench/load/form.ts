import { atMost, type Bar, median, reported, spread } from '#bench/bars.ts'
import type { Stage } from '#bench/load/parts.ts'
import { onPhone } from '#bench/load/phone.ts'
import type { FieldDoc, FormDoc, ScreenDoc } from '#language/documents/documents.ts'

const fields = 200
const keysPerField = 12
/** Fields to type into. The value of the first decides whether the next field is shown. */
const typed = [0, 60, 120, 180]

const nameOf = (i: number) => `field${i}`

function fieldAt(i: number): FieldDoc {
  const base = { name: nameOf(i), label: `Field ${i}`, ...(i % 3 === 0 && { required: true }) }
  const shown = typed.includes(i - 1) ? { show: { '!==': [{ var: `form.${nameOf(i - 1)}` }, 'abcd'] } } : {}
  if (i % 7 === 5) return { ...base, ...shown, type: 'boolean', widget: 'check-field' }
  if (i % 7 === 3) return { ...base, ...shown, type: 'decimal', widget: 'decimal-field' }
  return { ...base, ...shown, type: 'string', widget: 'text-field', maxLength: 60 }
}

const form: FormDoc = {
  kind: 'form',
  id: 'bench.form',
  format: 1,
  fields: Array.from({ length: fields }, (_, i) => fieldAt(i)),
  submit: { label: 'Send', steps: [{ toast: 'Sent' }] },
}
const screen: ScreenDoc = {
  kind: 'screen',
  id: 'home.home',
  format: 1,
  body: [{ id: 'page', widget: 'page', slots: { body: [{ id: 'form', widget: 'form', props: { form: form.id } }] } }],
}

/** Measures the time from each key to the next paint, and the fields whose elements changed. */
function watchKeys(): void {
  const keys = { times: [] as number[], changed: [] as string[] }
  Object.assign(window, { keys })
  addEventListener(
    'keydown',
    ({ timeStamp }) => requestAnimationFrame(() => setTimeout(() => keys.times.push(performance.now() - timeStamp))),
    { capture: true },
  )
  new MutationObserver((records) => {
    for (const { target } of records) {
      const element = target instanceof Element ? target : target.parentElement
      keys.changed.push(element?.closest<HTMLElement>('[data-node]')?.dataset.node ?? '?')
    }
  }).observe(document.querySelector('form') ?? document.body, { subtree: true, childList: true, characterData: true, attributes: true })
}

/** A form of two hundred fields: the cost of a keystroke, and the fields that it changes. */
export async function bigForm({ browser, stub }: Stage): Promise<Bar[]> {
  const send = (init: RequestInit) => fetch(`${stub.origin}/test/release`, init)
  const forced = await send({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ documents: { 'screen/home.home': screen, [`form/${form.id}`]: form } }),
  })
  if (!forced.ok) throw new Error(`the test release was refused: ${forced.status}`)
  try {
    const { times, changed } = await onPhone(browser, async ({ page }) => {
      await page.goto(stub.origin)
      await page.waitForFunction((count) => document.querySelectorAll('form input').length >= count, fields - typed.length)
      await page.waitForTimeout(3_000)
      await page.evaluate(watchKeys)
      const boxes = page.locator('form input:not([type=checkbox])')
      for (const i of typed) {
        const box = page.getByLabel(`Field ${i}`, { exact: false }).first()
        await box.scrollIntoViewIfNeeded()
        await box.focus()
        await page.waitForTimeout(500)
        for (let key = 0; key < keysPerField; key++) {
          await page.keyboard.press('abcdefghijkl'[key]!)
          await page.waitForTimeout(120)
        }
      }
      await boxes.first().waitFor()
      return page.evaluate(() => (window as unknown as { keys: { times: number[]; changed: string[] } }).keys)
    })
    const sorted = [...times].sort((a, b) => a - b)
    const p95 = sorted[Math.ceil(sorted.length * 0.95) - 1]!
    const touched = [...new Set(changed)]
    const declared = new Set(typed.flatMap((i) => [i, i + 1]).map(nameOf))
    const others = touched.filter((node) => !declared.has(node.split('-').at(-1) ?? ''))
    return [
      atMost(`${fields} fields: key to paint, p95`, p95, 50, ' ms', `median ${spread([median(times)])} of ${times.length} keys`),
      reported(
        `${fields} fields: elements changed outside of the typed field and its dependents`,
        others.length ? others.slice(0, 5).join(' ') : 'none',
      ),
    ]
  } finally {
    await send({ method: 'DELETE' })
  }
}
