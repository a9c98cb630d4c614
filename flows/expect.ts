import { elementOf, elementsOf, heldBy, isEnabled } from '#flows/find.ts'
import type { Stage } from '#flows/stage.ts'
import { named, wordsOf } from '#flows/words.rules.ts'
import type { FlowExpectation } from '#language/documents/documents.ts'
import type { TextCatalog } from '#language/types/catalog.ts'

export interface Words {
  texts: TextCatalog
  language: string
}

const everyMs = 50
/** A negative expectation is checked once more after this time, for late events. */
const graceMs = 120

const quiet = (text: string) => text.trim().replace(/\s+/g, ' ')
const seen = (stage: Stage) => stage.page.evaluate(() => document.body.innerText)

/** Why an expectation is not met now; undefined when it is. */
async function misfit(stage: Stage, wanted: FlowExpectation, words: Words): Promise<string | undefined> {
  const { page } = stage
  const { texts, language } = words
  const fits = (value: unknown, shown: string) => wordsOf(value, texts, language)?.test(shown) ?? false
  const say = (value: unknown) => named(value, texts, language)
  if (wanted.screen !== undefined) {
    const shown = await page.locator('[data-screen]').evaluateAll((all) => all.map((one) => one.getAttribute('data-screen')))
    if (!shown.includes(wanted.screen)) return `the screen is ${shown.join(', ') || 'none'}, not ${wanted.screen}`
  }
  if (wanted.node !== undefined) {
    const why = await nodeMisfit(stage, wanted, wanted.node, fits, say)
    if (why !== undefined) return why
  } else if (wanted.text !== undefined && !fits(wanted.text, await seen(stage))) return `${say(wanted.text)} does not stand on the screen`
  if (wanted.noText !== undefined && fits(wanted.noText, await seen(stage))) return `${say(wanted.noText)} stands on the screen`
  if (wanted.toast !== undefined) {
    const toasts = await stage.toasts()
    if (toasts.length === 0) return 'no toast is shown'
    if (wanted.toast !== true && !toasts.some((text) => fits(wanted.toast, text)))
      return `the toast says ${JSON.stringify(toasts.join(' · '))}`
  }
  if (wanted.prompt !== undefined) {
    const open = page.locator('.prompt')
    const there = (await open.count()) > 0
    if (wanted.prompt === false) return there ? 'a prompt is open' : undefined
    if (!there) return 'no prompt is open'
    const text = await open.first().innerText()
    if (wanted.prompt !== true && !fits(wanted.prompt, text)) return `the prompt says ${JSON.stringify(quiet(text))}`
  }
  return callMisfit(stage, wanted)
}

async function nodeMisfit(
  stage: Stage,
  wanted: FlowExpectation,
  node: string,
  fits: (value: unknown, shown: string) => boolean,
  say: (value: unknown) => string,
): Promise<string | undefined> {
  const { page } = stage
  const { row, state = 'shown' } = wanted
  const place = row === undefined ? `"${node}"` : `"${node}" in row ${row}`
  const element = await elementOf(page, node, row)
  const shown = (await element.count()) > 0 && (await element.isVisible())
  if (state === 'hidden') return shown ? `${place} is shown` : undefined
  if (wanted.rows !== undefined) {
    const all = await elementsOf(page, node)
    const inside = (await all.count()) === 1 ? await all.first().locator('[data-key]').count() : 0
    const count = (await all.count()) > 1 || inside === 0 ? await all.count() : inside
    return count === wanted.rows ? undefined : `${place} has ${count} rows, not ${wanted.rows}`
  }
  if (!shown) return `${place} is not shown`
  if (state === 'enabled' && !(await isEnabled(element))) return `${place} is disabled`
  if (state === 'disabled' && (await isEnabled(element))) return `${place} is enabled`
  if (wanted.value !== undefined) {
    const value = await heldBy(element)
    const same = typeof value === 'string' ? quiet(value) === quiet(String(wanted.value)) : value === wanted.value
    if (!same) return `${place} holds ${JSON.stringify(value)}, not ${JSON.stringify(wanted.value)}`
  }
  if (wanted.text !== undefined) {
    const text = await element.innerText()
    if (!fits(wanted.text, text)) return `${place} says ${JSON.stringify(quiet(text))}, not ${say(wanted.text)}`
  }
  return undefined
}

function callMisfit({ made }: Stage, { called, args = {}, times, notCalled }: FlowExpectation): string | undefined {
  const forbidden = (typeof notCalled === 'string' ? [notCalled] : (notCalled ?? [])).find((name) => made.some((one) => one.name === name))
  if (forbidden !== undefined) return `${forbidden} was called`
  if (called === undefined) return undefined
  const calls = made.filter(({ name }) => name === called)
  if (calls.length === 0) {
    const others = [...new Set(made.map(({ name }) => name))]
    return `${called} was not called${others.length > 0 ? `; called were ${others.join(', ')}` : ', and no other call either'}`
  }
  const fitting = calls.filter((call) =>
    Object.entries(args).every(([name, value]) => call.args[name] === (value === null ? undefined : String(value))),
  )
  if (fitting.length === 0) return `${called} was called with ${JSON.stringify(calls.at(-1)?.args)}, not with ${JSON.stringify(args)}`
  if (times !== undefined && fitting.length !== times) return `${called} was called ${fitting.length} times, not ${times}`
  return undefined
}

/** Waits until an expectation is met. @returns why it was not met in time; undefined when it was */
export async function unmet(stage: Stage, wanted: FlowExpectation, words: Words): Promise<string | undefined> {
  const forbids = wanted.notCalled !== undefined || wanted.noText !== undefined || wanted.state === 'hidden' || wanted.prompt === false
  const until = performance.now() + stage.patienceMs
  for (;;) {
    const why = await misfit(stage, wanted, words)
    if (why === undefined && !forbids) return undefined
    if (why === undefined) {
      await stage.page.waitForTimeout(graceMs)
      await stage.settled()
      const late = await misfit(stage, wanted, words)
      if (late === undefined) return undefined
    }
    // A call that was made stays made, so waiting cannot help.
    if (performance.now() > until || why?.endsWith(' was called')) return why ?? 'it did not stay so'
    await stage.page.waitForTimeout(everyMs)
  }
}
