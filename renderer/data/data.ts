import { InfiniteQueryObserver, keepPreviousData, notifyManager, type Query, type QueryClient, QueryObserver } from '@tanstack/query-core'
import { guard } from '#language/expression/expression.ts'
import { type Api, CallProblem } from '#renderer/calls/api.ts'
import type { CompiledSource } from '#renderer/core/compile.ts'
import { type Loadable, type Say, tooMuchData } from '#renderer/core/resolve.ts'
import type { Answer } from '#renderer/data/data-events.ts'
import type { Overlay, Unsent } from '#renderer/data/unsent.ts'
import type { ScreenStore } from '#renderer/engine/store.ts'

/** The data sources of one open screen: they load when their condition and arguments allow, and put answers into the store. */
export interface ScreenData {
  status(source: string): Loadable | undefined
  /**
   * Loads again, whatever is cached or on its way. A source that may not load now, because of its condition or its arguments, stays as it is.
   * @returns false when a source has no answer that was asked for since, or its screen was left
   */
  refresh(names: readonly string[]): Promise<boolean>
  more(name: string): void
  /** Loads the rows that are being sent. */
  unsent?: DataDeps['unsent']
  /**
   * Tells of every answer that a source with `on` shows, and of those that are here already.
   * @returns ends it
   */
  listen(hear: (answer: Answer) => void): () => void
  /** Counts the loads that `run` starts as started by the steps of sources, so many times in a row. */
  asked<T>(depth: number, run: () => T): T
  /** Until it is started it only shows what is cached, so that it can be made while drawing. After a stop it can be started again. */
  start(): void
  stop(): void
}

export interface DataDeps {
  queries: QueryClient
  api: Api
  language: () => string
  pageSize: number
  say: Say
  /** False for a call of customers while nobody is logged in: such a source waits for the login. */
  mayCall: (call: string) => boolean
  /** Loads the rows that are being sent, for the first source that has such. */
  unsent?: (() => Promise<Unsent>) | undefined
}

/**
 * The question that a source would ask. `name` identifies a question, `args` its arguments alone: another language is no other question.
 */
interface Question {
  name: string
  enabled: boolean
  key: readonly unknown[]
  args: string
  /** A limit of expressions ended the evaluation of its condition or arguments: it does not load, and says so. */
  stopped?: true
}

/** Reads condition and arguments of a source: whether it may load now, and what it would ask. */
function questionOf({ doc, when, args }: CompiledSource, store: ScreenStore, deps: DataDeps): Question {
  const gate = when && guard(when, store)
  const allowed = deps.mayCall(doc.call) && (gate === undefined || gate.open)
  const { value, missing, stopped } = args.evaluate(store, deps.say)
  const halted = stopped !== undefined || gate?.stopped !== undefined
  const enabled = allowed && missing.length === 0 && !halted
  const key = [doc.call, value, deps.language()]
  return { name: JSON.stringify([enabled, key, halted]), enabled, key, args: JSON.stringify(value), ...(halted && { stopped: true }) }
}

/** One answer of a call that answers page after page. */
interface Page {
  list: unknown[]
  total: number
}

/** Number of the page after these, while there are more rows. */
const nextPage = (pages: readonly Page[]): number | undefined => {
  const last = pages.at(-1)
  const rows = pages.reduce((sum, page) => sum + page.list.length, 0)
  return last && last.list.length > 0 && rows < last.total ? pages.length + 1 : undefined
}

// Answers are shown in the same task. The library's own way is a timer for each answer and for each row that is pushed.
notifyManager.setScheduler(queueMicrotask)

const problemOf = (error: unknown) =>
  error instanceof CallProblem ? { code: error.code, name: error.name, msg: error.msg } : { code: 0, name: 'internal', msg: '' }

/** The problem of before where it says the same, so that nothing is drawn again. */
const sameProblem = (before: Loadable, problem: ReturnType<typeof problemOf>) =>
  before.status === 'failed' && before.problem.msg === problem.msg ? before.problem : problem

/** Codes that a second try cannot change. */
const final = (error: unknown) => error instanceof CallProblem && error.code !== 0 && error.code !== 5003 && error.code !== 429

class Source {
  readonly source: CompiledSource
  loadable: Loadable = { status: 'idle' }
  private readonly store: ScreenStore
  private readonly deps: DataDeps
  private observer: QueryObserver | InfiniteQueryObserver | undefined
  private off: (() => void) | undefined
  /**
   * The question of the scope, and the question that the observer got last. They differ while arguments have not stood still for long
   * enough.
   */
  private wanted: Question = { name: '', enabled: false, key: [], args: '' }
  private asked: Question = this.wanted
  /** Arguments that the data answers. */
  private answered: string | undefined
  private waiting: ReturnType<typeof setTimeout> | undefined
  /** How many times in a row the steps of sources asked for what is on its way. */
  private depth = 0
  private hear: ((answer: Answer) => void) | undefined

  private readonly cause: () => number

  /** @param cause how many times in a row the steps of sources led to what is asked now */
  constructor(source: CompiledSource, store: ScreenStore, deps: DataDeps, cause: () => number = () => 0) {
    this.source = source
    this.store = store
    this.deps = deps
    this.cause = cause
  }

  listen(hear: ((answer: Answer) => void) | undefined): void {
    this.hear = hear
    this.tell(false, 0)
  }

  private tell(grown: boolean, depth: number): void {
    const { hear, source, deps, loadable } = this
    if (hear && source.doc.on && loadable.status === 'ready' && loadable.data !== undefined)
      hear({ source: source.name, doc: source.doc, data: loadable.data, language: deps.language(), grown, depth })
  }

  /** Reads condition and arguments again, and loads when they changed. @param now does not wait for arguments to stand still */
  update(now = false): void {
    const { source, store, deps } = this
    const wanted = questionOf(source, store, deps)
    const changed = wanted.name !== this.wanted.name
    this.wanted = wanted
    if (changed) this.depth = this.cause()
    const { debounceMs } = source.doc
    const others = wanted.enabled && this.asked.enabled && wanted.args !== this.asked.args
    if (debounceMs !== undefined && this.off && others && !now) {
      if (!changed) return
      clearTimeout(this.waiting)
      this.waiting = setTimeout(() => this.update(true), debounceMs)
      this.apply()
      return
    }
    const waited = this.waiting !== undefined
    clearTimeout(this.waiting)
    this.waiting = undefined
    if (wanted.name !== this.asked.name) this.ask()
    else if (waited) this.apply()
  }

  /** Tells the observer what is wanted now. */
  private ask(): void {
    const { source, deps } = this
    this.asked = this.wanted
    const { key, enabled } = this.asked
    // An answer that was fetched for this very screen a moment ago is not asked for again.
    const { live, keepMs = 1_000 } = source.doc
    const base = {
      queryKey: source.doc.pages ? [...key, 'pages'] : key,
      enabled,
      // A function, because with a number the library sets a timer for each answer and each row that is pushed, to say that it is old now.
      // An answer with a time later than now came before the clock of the device was set back.
      staleTime({ state }: Query) {
        const ageMs = Date.now() - state.dataUpdatedAt
        return ageMs >= 0 && ageMs < keepMs ? Number.POSITIVE_INFINITY : 0
      },
      retry: (count: number, error: unknown) => count < 2 && !final(error),
      // So that the cache knows what a pushed topic is about and how long an answer is kept, on other screens too.
      meta: { live, keepMs },
      ...(source.doc.everyMs && { refetchInterval: source.doc.everyMs }),
      placeholderData: keepPreviousData,
    }
    const call = (more: Record<string, unknown>, signal: AbortSignal) =>
      deps.api.call(source.doc.call, { ...(key[1] as object), ...more }, { signal })
    const options = {
      ...base,
      ...(source.doc.pages
        ? {
            initialPageParam: 1,
            queryFn: ({ pageParam, signal }: { pageParam: unknown; signal: AbortSignal }) =>
              call({ page: pageParam, size: deps.pageSize }, signal),
            getNextPageParam: (_last: unknown, pages: unknown[]) => nextPage(pages as Page[]),
          }
        : { queryFn: ({ signal }: { signal: AbortSignal }) => call({}, signal) }),
    }
    if (this.observer) this.observer.setOptions(options as never)
    else if (source.doc.pages) this.observer = new InfiniteQueryObserver(deps.queries, options as never) as InfiniteQueryObserver
    else this.observer = new QueryObserver(deps.queries, options as never) as QueryObserver
    this.apply()
  }

  /** Loads into the cache without showing anything. Never throws. */
  async warm(): Promise<void> {
    this.update()
    const options = this.observer?.options as never
    if (!this.asked.enabled) return
    await (this.source.doc.pages ? this.deps.queries.prefetchInfiniteQuery(options) : this.deps.queries.prefetchQuery(options))
  }

  /** Begins to load and to listen. */
  start(): void {
    this.update(true)
    this.off ??= (this.observer as QueryObserver).subscribe(() => this.apply())
    this.apply()
    if (this.source.doc.send)
      this.deps.unsent?.().then(
        (all) => this.showUnsent(all),
        () => undefined,
      )
  }

  private unsent: Overlay | undefined
  private showUnsent(all: Unsent): void {
    if (this.off) this.unsent ??= all.over(this.source.doc, () => this.apply())
    this.apply()
  }

  private answeredAt = 0
  private answer: unknown
  private shown: unknown
  private stale = false
  private apply(): void {
    const now = (this.observer as QueryObserver).getCurrentResult()
    // The observer speaks up for many reasons.
    const fresh = !now.isPlaceholderData && (now.dataUpdatedAt !== this.answeredAt || now.data !== this.answer)
    const { depth } = this
    if (fresh) {
      this.answeredAt = now.dataUpdatedAt
      this.answer = now.data
      this.depth = 0
    }
    if (now.data !== undefined && !now.isPlaceholderData) this.answered = this.asked.args
    const { keep, pages } = this.source.doc
    const current = keep === true || this.answered === this.wanted.args
    const answer = pages ? this.paged(now.data) : now.data
    const known = this.unsent?.lay(answer, this.answered) ?? answer
    // Nothing is on its way that could take the place of an answer to other arguments.
    const data = current || this.wanted.enabled ? known : undefined
    const before = this.loadable
    const status: Loadable = this.wanted.stopped
      ? { status: 'failed', problem: { code: 0, ...tooMuchData } }
      : now.error && !now.isFetching && !this.waiting
        ? { status: 'failed', data, problem: sameProblem(before, problemOf(now.error)) }
        : data !== undefined
          ? { status: current ? 'ready' : 'stale', data }
          : this.wanted.enabled
            ? { status: 'pending' }
            : { status: 'idle' }
    this.loadable = status
    const stale = !current && data !== undefined
    const turned = stale !== this.stale
    this.stale = stale
    const moved = data !== this.shown || turned
    if (moved) this.put(data)
    this.shown = data
    if (before.status !== status.status) this.store.topics.wake(`$status.${this.source.name}`)
    if (moved) this.tell(this.grown, depth)
  }

  /** The cache copies what changed, and pages are put together, so the rows are noted for what is shown. */
  private put(data: unknown): void {
    this.deps.api.noteRows?.(this.source.doc.call, data)
    this.store.setData(this.source.name, data, this.stale)
  }

  /** One page more has come, and nothing else. */
  private grown = false
  private lastPages: { from: unknown; loading: boolean; value: unknown } | undefined
  private paged(data: unknown): unknown {
    if (data === undefined) return undefined
    const loading = (this.observer as InfiniteQueryObserver).getCurrentResult().isFetchingNextPage
    const last = this.lastPages
    if (last?.from === data && last.loading === loading) return last.value
    const pages = (data as { pages: Page[] }).pages
    const had = (last?.from as { pages: Page[] } | undefined)?.pages
    this.grown = !!had && had.length < pages.length && had.every((page, i) => page === pages[i])
    // Fifty times faster than flatMap, which counts for a row that changes often.
    const list = ([] as unknown[]).concat(...pages.map((page) => page.list))
    const total = pages.at(-1)?.total ?? 0
    const value = { list, total, more: list.length < total && (pages.at(-1)?.list.length ?? 0) > 0, loadingMore: loading }
    this.lastPages = { from: data, loading, value }
    return value
  }

  async refresh(): Promise<boolean> {
    const before = this.asked
    this.update(true)
    if (!this.asked.enabled) return false
    this.depth = this.cause()
    const observer = this.observer as QueryObserver
    const query = observer.getCurrentQuery()
    // A load in progress may have begun before the reason to load again.
    const begun = this.asked !== before
    if (!begun) void query.cancel({ silent: true })
    const answers = query.state.dataUpdateCount
    await observer.refetch({ cancelRefetch: !begun })
    // Its own word comes a turn later; who waited reads now.
    this.apply()
    return !!this.off && query === observer.getCurrentQuery() && query.state.dataUpdateCount > answers
  }

  more(): void {
    if (!this.source.doc.pages || !this.observer || !this.asked.enabled || this.stale) return
    const observer = this.observer as InfiniteQueryObserver
    const { hasNextPage, isFetching, isFetchingNextPage } = observer.getCurrentResult()
    if (!hasNextPage || isFetchingNextPage) return
    // Rows that are being asked for anew are not given up for the next page: it comes after them.
    void observer.fetchNextPage({ cancelRefetch: false }).then(() => isFetching && this.more())
  }

  stop(): void {
    clearTimeout(this.waiting)
    this.waiting = undefined
    this.off?.()
    this.off = undefined
    this.unsent = this.unsent?.end()
  }
}

/** Asks for what a screen will read before it is drawn, so that it can be drawn once, with its data. */
export async function warmSources(sources: readonly CompiledSource[], store: ScreenStore, deps: DataDeps): Promise<void> {
  await Promise.all(sources.map((source) => new Source(source, store, deps).warm()))
}

export function openSources(sources: readonly CompiledSource[], store: ScreenStore, deps: DataDeps): ScreenData {
  let cause = 0
  const table = new Map(sources.map((source) => [source.name, new Source(source, store, deps, () => cause)]))
  const offs: (() => void)[] = []
  let running = false
  const data: ScreenData = {
    status: (name) => table.get(name)?.loadable,
    refresh: async (names) => !(await Promise.all(names.map((name) => table.get(name)?.refresh()))).includes(false),
    more: (name) => table.get(name)?.more(),
    unsent: deps.unsent,
    listen(hear) {
      for (const source of table.values()) source.listen(hear)
      return () => {
        for (const source of table.values()) source.listen(undefined)
      }
    },
    asked(depth, run) {
      const before = cause
      cause = depth
      try {
        return run()
      } finally {
        cause = before
      }
    },
    start() {
      if (running) return
      running = true
      for (const source of table.values()) {
        source.start()
        // Arguments read the time when something else asks: otherwise `now()` among them would ask every second.
        for (const topic of [...source.source.topics.filter((one) => one !== 'clock'), 'session.language', 'session.logged_in'])
          offs.push(store.subscribe(topic, () => source.update()))
      }
    },
    stop() {
      running = false
      for (const off of offs.splice(0)) off()
      for (const source of table.values()) source.stop()
    },
  }
  for (const source of table.values()) source.update()
  return data
}
