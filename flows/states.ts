import type { Browser } from 'playwright'
import type { DataState } from '#flows/answers.ts'
import { openBrowser } from '#flows/chromium.ts'
import { type Branch, branchesOf, Coverage, type Unseen } from '#flows/coverage.rules.ts'
import { choose, elementOf, fill } from '#flows/find.ts'
import { axeFindings, type Look, lookAt } from '#flows/look.ts'
import { flowsFor, pressedCalls, runFlows } from '#flows/runner.ts'
import { truthOf } from '#flows/samples-scope.ts'
import { type DocumentSet, openSet, type Pages } from '#flows/set.ts'
import { openStage, type Stage } from '#flows/stage.ts'
import { choicesOf, type Visit, visitsOf } from '#flows/visits.rules.ts'
import type { FlowWho } from '#language/documents/documents.ts'

/**
 * Generated tests: every screen in every state of its data, for a visitor and a customer, in every language. They fail on broken widgets,
 * visible text keys, pages wider than a phone, and serious findings of axe.
 */

export const dataStates = ['loading', 'empty', 'error', 'ok', 'stale'] as const
type ScreenState = (typeof dataStates)[number]
export const people = ['visitor', 'customer'] as const
export type Person = (typeof people)[number]

interface StateOptions {
  set: DocumentSet
  /** Address of a served app that is given the set: `http://127.0.0.1:8080`. */
  origin: string
  /** Ids; by default all screens with a route. */
  screens?: readonly string[]
  /** Ids; by default the default language. */
  languages?: readonly string[]
  people?: readonly Person[]
  states?: readonly ScreenState[]
  /** The theme chosen on the device; by default that of the app. */
  theme?: 'dark' | 'light'
  /** Visits public pages only once, as a visitor, unless they depend on the session. */
  once?: boolean
  /** Also runs the flows that visit the screens: the branches that they take count as seen. A failing flow is a finding. */
  flows?: boolean
  /** Which visits axe checks; by default those of `ok` and `error`. */
  axe?: (state: ScreenState) => boolean
  chromium?: string | undefined
  browser?: Browser
  onProgress?: (done: number, total: number, place: Place) => void
  signal?: AbortSignal
}
export interface Place {
  screen: string
  state: ScreenState
  person: Person
  language: string
}
interface StateFinding extends Place {
  what: string
}
export interface StateReport {
  /** Number of checked visits. */
  looked: number
  findings: StateFinding[]
  /** Conditions of the screens of which not both outcomes were seen. */
  unseen: Unseen[]
  /** Number of seen outcomes, and of all. */
  ways: { seen: number; of: number }
  ms: number
}

const dayMs = 86_400_000
const standsMs = 5_000

/** @throws Error without a Chromium, and for an unknown screen or language */
export async function testStates(options: StateOptions): Promise<StateReport> {
  const began = performance.now()
  const pages = openSet(options.set)
  const wanted = known('screen', options.screens, [...pages.screens.keys()])
  const offered = pages.app.languages.map(({ id }) => id)
  const languages = known('language', options.languages ?? [pages.app.defaultLanguage], offered)
  const browser = options.browser ?? (await openBrowser(options.chromium))
  const branches = wanted.flatMap((id) => branchesOf(pages.screens.get(id) as never, pages.forms))
  const run = new Run({ ...options, languages }, pages, new Coverage(branches))
  const rounds = languages.flatMap((language) => (options.people ?? people).map((person) => ({ language, person })))
  const visits = new Map(
    people.map((person) => [
      person,
      visitsOf(pages, wanted, person).filter((one) => !options.once || person === 'visitor' || differs(pages, one)),
    ]),
  )
  run.total = rounds.reduce((sum, { person }) => sum + (visits.get(person)?.length ?? 0) * (options.states ?? dataStates).length, 0)
  try {
    const queue = [...rounds]
    const work = async () => {
      for (let round = queue.shift(); round; round = queue.shift())
        await run.round(browser, round.language, round.person, visits.get(round.person) ?? [])
    }
    await Promise.all([work(), work()])
    if (options.flows) await run.flows(browser, new Set(wanted))
  } finally {
    if (!options.browser) await browser.close()
  }
  const { findings, looked, coverage } = run
  return { looked, findings, unseen: coverage.unseen(), ways: coverage.count(), ms: Math.round(performance.now() - began) }
}

/** Whether a page differs between a customer and a visitor. */
function differs({ routes, screens }: Pages, { path, screen }: Visit): boolean {
  return Boolean(routes[path]?.auth) || /"session\./.test(JSON.stringify(screens.get(screen)))
}

function known(what: string, names: readonly string[] | undefined, all: readonly string[]): string[] {
  const strange = names?.find((name) => !all.includes(name))
  if (strange !== undefined) throw new Error(`there is no ${what} "${strange}"`)
  return all.filter((name) => names?.includes(name) ?? true)
}

class Run {
  readonly findings: StateFinding[] = []
  looked = 0
  total = 0
  readonly coverage: Coverage
  private readonly options: StateOptions & { languages: readonly string[] }
  private readonly pages: Pages
  private readonly areas: string[]
  private readonly states: readonly ScreenState[]

  constructor(options: StateOptions & { languages: readonly string[] }, pages: Pages, coverage: Coverage) {
    this.options = options
    this.pages = pages
    this.coverage = coverage
    this.areas = [...new Set(Object.values(options.set.texts).flatMap((areas) => Object.keys(areas)))]
    this.states = options.states ?? dataStates
  }

  /** One window for one person in one language; each state starts with an empty cache. */
  async round(browser: Browser, language: string, person: Person, visits: readonly Visit[]): Promise<void> {
    const { set, origin } = this.options
    const stage = await openStage({
      browser,
      origin,
      pages: this.pages,
      catalog: set.catalog,
      dry: true,
      pressed: pressedCalls(this.pages),
    })
    await stage.page.addInitScript(clockThatMoves)
    try {
      for (const state of ['loading', 'empty', 'error', 'ok'] as const) {
        const stale = state === 'ok' && this.states.includes('stale')
        if (!this.states.includes(state) && !stale) continue
        await this.walk(stage, state, { language, person }, visits, stale)
      }
    } finally {
      await stage.close()
    }
  }

  async flows(browser: Browser, wanted: ReadonlySet<string>): Promise<void> {
    const { set, origin, signal } = this.options
    const names = flowsFor(this.pages, wanted)
    if (names.length === 0) return
    const results = await runFlows({
      set,
      origin,
      browser,
      names,
      ...(signal && { signal }),
      onStep: async (stage) => this.coverage.note(await lookAt(stage.page, this.areas), new Set(stage.made.map(({ name }) => name))),
    })
    const at = { screen: 'flows', state: 'ok', person: 'visitor', language: this.pages.app.defaultLanguage } as const
    for (const { flow, ok, step, message } of results) if (!ok) this.findings.push({ ...at, what: `${flow}, ${step}: ${message}` })
  }

  private async walk(stage: Stage, state: DataState, at: Pick<Place, 'language' | 'person'>, visits: readonly Visit[], stale: boolean) {
    stage.state = state
    let entered = false
    for (const visit of visits) {
      if (this.options.signal?.aborted) return
      if (visit.state !== undefined && visit.state !== state) continue
      const place: Place = { ...at, screen: visit.screen, state }
      const before = stage.made.length
      stage.state = state
      stage.who = whoOf(at.person, visit)
      if (!entered)
        await stage.enter(visit.path, {
          ...at,
          who: stage.who,
          params: visit.params,
          ...(this.options.theme && { theme: this.options.theme }),
        })
      else {
        // Makes the data of the previous screen too old, so that each screen loads its own.
        await letDaysPass(stage)
        await stage.go(visit.path, visit.params)
      }
      entered = true
      await this.judge(stage, place, visit, before)
      if (state === 'ok') await this.explore(stage, place, visit)
      if (!stale || visit.state !== undefined) continue
      stage.state = 'error'
      await letDaysPass(stage)
      await this.judge(stage, { ...place, state: 'stale' }, visit, before)
    }
  }

  /** Chooses every option that only changes the screen itself, so that dependent nodes are seen too. */
  private async explore(stage: Stage, place: Place, visit: Visit): Promise<void> {
    const screen = this.pages.screens.get(place.screen)
    if (!screen || visit.state !== undefined || place.language !== this.options.languages[0]) return
    const before = stage.made.length
    for (const { node, option } of choicesOf(screen, this.pages.forms)) {
      const element = await elementOf(stage.page, node)
      if ((await element.count()) === 0 || !(await element.isVisible())) continue
      const done = option === undefined ? fill(stage.page, element, 'a', /a/) : choose(stage.page, element, option, /$^/)
      await done.catch(() => undefined)
      await stage.settled(1_000)
      const look = await lookAt(stage.page, this.areas)
      for (const what of wrongOf(look)) this.findings.push({ ...place, what: `${node} ${option ?? 'a'}: ${what}` })
      this.coverage.note(look, new Set(stage.made.slice(before).map(({ name }) => name)))
    }
  }

  private async judge(stage: Stage, place: Place, visit: Visit, before: number): Promise<void> {
    const { page } = stage
    const reported = stage.problems.length
    const stands = await page
      .waitForSelector(`[data-screen="${place.screen}"]`, { timeout: standsMs, state: 'attached' })
      .catch(() => undefined)
    await stage.settled()
    const look = await lookAt(page, this.areas)
    this.looked += 1
    this.options.onProgress?.(this.looked, this.total, place)
    const find = (what: string) => void this.findings.push({ ...place, what })
    if (!stands && !visit.leaves) find(`the screen does not stand${look.screen ? `; ${look.screen} does` : ''}`)
    for (const what of wrongOf(look)) find(what)
    for (const problem of stage.problems.slice(reported)) find(problem)
    if (this.options.axe?.(place.state) ?? (place.state === 'ok' || place.state === 'error'))
      for (const what of await axeFindings(page)) find(`axe: ${what}`)
    if (place.state === 'loading') return
    const made = new Set(stage.made.slice(before).map(({ name }) => name))
    const screen = this.pages.screens.get(place.screen)
    const truth = (branch: Branch) =>
      screen &&
      truthOf(branch.logic, {
        screen,
        visit,
        who: stage.who,
        state: stage.state,
        app: this.pages.app,
        catalog: this.options.set.catalog,
        language: place.language,
      })
    this.coverage.note(look, made, truth)
  }
}

/** Makes all loaded data old, so that it is loaded again. */
async function letDaysPass(stage: Stage): Promise<void> {
  await stage.page.evaluate((ms) => {
    ;(window as { passTime?: (ms: number) => void }).passTime?.(ms)
    window.dispatchEvent(new Event('visibilitychange'))
  }, dayMs * 2)
}

function whoOf(person: Person, { account }: Visit): FlowWho {
  return person === 'visitor' ? 'visitor' : { customer: { kyc: account?.kyc ?? 1, ...(account?.info && { info: account.info }) } }
}

/** Problems of a page that do not depend on its content. */
function wrongOf({ broken, odd, overflow, blank }: Look): string[] {
  return [
    ...broken.map((widget) => `the widget ${widget} is broken`),
    ...odd.map((text) => `${JSON.stringify(text)} stands where words are expected`),
    ...(overflow ? [`${overflow.px} px wider than the window, at ${overflow.nodes.join(', ') || 'no node'}`] : []),
    ...(blank ? ['nothing can be read'] : []),
  ]
}

/** Lets the date advance by days in the page. The monotonic clock of the feed stays. */
function clockThatMoves(): void {
  const real = Date.now
  let ahead = 0
  Date.now = () => real() + ahead
  Object.assign(window, {
    passTime(ms: number) {
      ahead += ms
    },
  })
}
