import type { Browser, Locator } from 'playwright'
import { openBrowser } from '#flows/chromium.ts'
import { unmet, type Words } from '#flows/expect.ts'
import { choose, elementOf, fill, pressable, takesValues } from '#flows/find.ts'
import { type DocumentSet, openSet, type Pages } from '#flows/set.ts'
import { desktop, openStage, type Stage } from '#flows/stage.ts'
import { wordsOf } from '#flows/words.rules.ts'
import type { FlowDoc, FlowStep } from '#language/documents/documents.ts'
import type { FlowRun } from '#language/publish/publishing.ts'
import type { Catalog } from '#language/types/catalog.ts'

export interface FlowResult extends Readonly<FlowRun['results'][number]> {
  /** Screenshot (PNG) of the page where a step failed. */
  picture?: Buffer
}

interface FlowOptions {
  set: DocumentSet
  /** Address of the app in which flows run: `http://127.0.0.1:8080`. Its documents are replaced by those of the set. */
  origin: string
  /** Ids of flows; by default all of the set. */
  names?: readonly string[]
  /** False: calls reach the API of the origin, which must be a test instance (TEST_HOOKS=1). */
  dry?: boolean
  /** Path of a Chromium. */
  chromium?: string | undefined
  /** An open browser; it stays open. */
  browser?: Browser
  /** How long a step waits for what it names, in ms; 5 s by default. */
  patienceMs?: number
  onProgress?: (done: number, total: number, result: FlowResult) => void
  signal?: AbortSignal
  /** Called after each step. */
  onStep?: (stage: Stage) => Promise<void>
}

const atOnceMax = 2
const pressRestMs = 600

/** Names of the flows that visit one of the screens. */
export function flowsFor({ flows, routes }: Pick<Pages, 'flows' | 'routes'>, screens: ReadonlySet<string>): string[] {
  const byPath = new Map(
    Object.entries(routes).flatMap(([path, { screen, aliases = [] }]) => [path, ...aliases].map((one) => [one, screen] as const)),
  )
  const comesBy = (step: FlowStep) => {
    const screen = 'open' in step ? byPath.get(step.open) : 'expect' in step ? step.expect.screen : undefined
    return screen !== undefined && screens.has(screen)
  }
  return flows.filter(({ steps }) => steps.some(comesBy)).map(({ id }) => id)
}

/**
 * Runs flows in a browser. A failed flow is part of the results; errors concern the run itself.
 * @throws Error without a Chromium, for an unknown name, and for a set without app or routes
 */
export async function runFlows(options: FlowOptions): Promise<FlowResult[]> {
  const { set, names, dry = true, onProgress, signal } = options
  const pages = openSet(set)
  const unknown = names?.find((name) => !pages.flows.some(({ id }) => id === name))
  if (unknown !== undefined) throw new Error(`there is no flow "${unknown}"`)
  const wanted = pages.flows.filter(({ id }) => names?.includes(id) ?? true)
  if (wanted.length === 0) return []
  const browser = options.browser ?? (await openBrowser(options.chromium))
  const results: FlowResult[] = []
  const queue = [...wanted]
  const work = async () => {
    for (let flow = queue.shift(); flow && !signal?.aborted; flow = queue.shift()) {
      const result = await runFlow(flow, browser, pages, { ...options, dry })
      results.push(result)
      onProgress?.(results.length, wanted.length, result)
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.min(atOnceMax, wanted.length) }, work))
  } finally {
    if (!options.browser) await browser.close()
  }
  const order = new Map(wanted.map(({ id }, i) => [id, i]))
  return results.sort((a, b) => (order.get(a.flow) ?? 0) - (order.get(b.flow) ?? 0))
}

/** Calls in steps, as opposed to sources. */
export function pressedCalls({ screens, forms }: Pages): Set<string> {
  const pressed = new Set<string>()
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    if ('call' in value && typeof value.call === 'string') pressed.add(value.call)
    if ('export' in value && typeof value.export === 'string') pressed.add(value.export)
    for (const part of Object.values(value)) look(part)
  }
  for (const { data: _, ...rest } of screens.values()) look(rest)
  for (const form of forms.values()) look(form)
  for (const { data = {} } of screens.values()) for (const { call } of Object.values(data)) pressed.delete(call)
  return pressed
}

async function runFlow(flow: FlowDoc, browser: Browser, pages: Pages, options: FlowOptions & { dry: boolean }): Promise<FlowResult> {
  const { set, origin, dry } = options
  const began = performance.now()
  const catalog: Catalog = set.catalog
  const pushes = flow.steps.some((step) => 'push' in step)
  const stage = await openStage({
    browser,
    origin,
    pages,
    catalog,
    dry,
    pressed: pressedCalls(pages),
    pushes,
    patienceMs: options.patienceMs,
    ...(flow.wide && { viewport: desktop }),
  })
  const words: Words = { texts: set.texts, language: flow.language ?? pages.app.defaultLanguage }
  for (const [call, answer] of Object.entries(flow.answers ?? {})) stage.given.set(call, answer)
  stage.who = flow.as
  const player = new Player(stage, words)
  let at = 0
  try {
    for (const [i, step] of flow.steps.entries()) {
      at = i
      const why = await player.play(step)
      if (why !== undefined) return await failed(why)
      // Before the first page there is no screen, and a step that changes the person changes nothing on this one.
      if (!('as' in step)) await options.onStep?.(stage)
    }
    const broken = await stage.page.locator('[data-broken]').evaluateAll((all) => all.map((one) => one.getAttribute('data-broken')))
    if (broken.length > 0) return await failed(`the widget ${broken[0]} is broken`)
    if (stage.problems.length > 0) return await failed(stage.problems[0] as string)
    return { flow: flow.id, ok: true, ms: Math.round(performance.now() - began), step: '', message: '' }
  } catch (error) {
    return await failed(shortened(error))
  } finally {
    await stage.close()
  }

  async function failed(message: string): Promise<FlowResult> {
    const picture = await stage.page.screenshot().catch(() => undefined)
    const step = `${at + 1}. ${JSON.stringify(flow.steps[at])}`
    return { flow: flow.id, ok: false, ms: Math.round(performance.now() - began), step, message, ...(picture && { picture }) }
  }
}

/** The first line of the browser's error, what it waited for, and what was in the way at last, without the log of attempts. */
function shortened(error: unknown): string {
  const [first = '', ...rest] = String(error instanceof Error ? error.message : error).split('\n')
  const waited = rest.map((line) => /waiting for (.+)$/.exec(line)?.[1]).find((text) => text !== undefined)
  const wrong = rest
    .map((line) => /- (.*intercepts pointer events|element is not .+)$/.exec(line)?.[1])
    .findLast((text) => text !== undefined)
  return [first.replace(/^\w+\.\w+: /, ''), ...(waited ? [`Waited for ${waited}`] : []), ...(wrong ? [`At last: ${wrong}`] : [])].join(' ')
}

/** Runs the steps one after the other. */
class Player {
  private readonly stage: Stage
  private readonly words: Words
  private entered = false
  private last: { target: string; atMs: number } | undefined

  constructor(stage: Stage, words: Words) {
    this.stage = stage
    this.words = words
  }

  /** @returns why the step failed; undefined when it succeeded */
  async play(step: FlowStep): Promise<string | undefined> {
    const { stage, words } = this
    const { page } = stage
    if ('expect' in step) return unmet(stage, step.expect, words)
    if (this.entered) await stage.forgetToasts()
    if ('open' in step) {
      if (this.entered) await stage.go(step.open, step.params)
      else await stage.enter(step.open, { language: words.language, ...(step.params && { params: step.params }) })
      this.entered = true
      await page.locator('[data-screen]:not([data-screen="loading"])').first().waitFor()
      await stage.settled()
      return undefined
    }
    if ('as' in step) {
      stage.who = step.as
      // The next page is opened as another person.
      this.entered = false
      return undefined
    }
    if ('answer' in step) return void stage.given.set(step.answer, step.with)
    if ('push' in step) return void (await stage.push(step))
    if ('wait' in step) return void (await page.waitForTimeout(step.wait))
    if ('prompt' in step) {
      const button = page.locator(step.prompt === 'ok' ? '.prompt-ok' : '.prompt-cancel')
      const asked = await page.locator('.prompt').elementHandle()
      await button.click()
      // Another prompt may follow at once.
      await asked?.waitForElementState('hidden')
    } else if ('fill' in step) await fill(page, await this.visible(step.fill, undefined, true), step.value, this.pattern(step.value))
    else if ('choose' in step) {
      const element = await this.visible(step.choose, step.row)
      await this.rest(step.choose, step.row)
      await choose(page, element, typeof step.option === 'string' ? step.option : undefined, this.pattern(step.option))
    } else if ('press' in step) await this.press(step.press, step.row)
    await stage.settled(1_000)
    return undefined
  }

  private async press(name: string, row: string | number | undefined): Promise<void> {
    await this.rest(name, row)
    await (await this.control(name, row)).click({ timeout: this.stage.patienceMs })
  }

  /** Waits before a second press of the same target: the app ignores one within half a second as accidental. */
  private async rest(name: string, row: string | number | undefined): Promise<void> {
    const target = `${name} ${row ?? ''}`
    const rested = this.last?.target === target ? performance.now() - this.last.atMs : pressRestMs
    if (rested < pressRestMs) await this.stage.page.waitForTimeout(pressRestMs - rested)
    this.last = { target, atMs: performance.now() }
  }

  /** The control of a node, when it is there. */
  private async control(name: string, row?: string | number): Promise<Locator> {
    const until = performance.now() + this.stage.patienceMs
    for (;;) {
      const element = await this.visible(name, row)
      const target = await pressable(element)
      if (target) return target
      // A node without a control is pressed itself.
      if (performance.now() > until) return element
      await this.stage.page.waitForTimeout(50)
    }
  }

  private async visible(name: string, row?: string | number, fills = false) {
    const until = performance.now() + this.stage.patienceMs
    for (;;) {
      const element = await elementOf(this.stage.page, name, row, fills)
      // A row may have the same name as the field that its sheet is about to show.
      const there = (await element.count()) > 0 && (!fills || (await takesValues(element)))
      if (there && (await element.isVisible())) return element
      if (performance.now() > until) throw new Error(`"${name}"${row === undefined ? '' : ` in row ${row}`} is not shown`)
      await this.stage.page.waitForTimeout(50)
    }
  }

  private pattern(value: unknown): RegExp {
    const { texts, language } = this.words
    return wordsOf(value, texts, language) ?? /$^/
  }
}
