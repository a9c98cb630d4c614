import { sql } from 'kysely'
import { adviceOf } from '#api-server/ledger/audit/advice.rules.ts'
import { type Check, everything, type Range, type Space } from '#api-server/ledger/audit/audit.check.ts'
import { type AuditOptions, allChecks, breachesOf, checksFor } from '#api-server/ledger/audit/audit.ts'
import type { Mark } from '#api-server/ledger/audit/mark.rules.ts'
import type { CallRow } from '#contract/call.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Database } from '#server-kit/db/db.ts'
import { isUnavailable } from '#server-kit/http/unavailable.ts'
import type { Clock } from '#server-kit/ops/clock.ts'
import type { Log } from '#server-kit/ops/log.ts'

export const auditorLimits = {
  /** Pause between the end of one full audit and the start of the next. */
  everyMs: 60_000,
  /** Pause between two slices, so that calls of customers come first. */
  pauseMs: 100,
  /** Rows of one slice. They take some milliseconds on the embedded database, which can do nothing else meanwhile. */
  rows: 200,
  /** Ticks of one slice, and slices of ticks in one round: the log of prices grows by the day, so a round goes on where the last one ended. */
  ticks: 250,
  tickSlices: 40,
  /** A slice is postponed while calls wait for the database, at most this many turns. */
  turnsSkippedMax: 10,
  /** Attempts to read a slice before the round goes on without it. */
  triesMax: 3,
  /** Pause after a failed attempt. */
  retryMs: 5_000,
  retryAfterSeconds: 60,
  /** Maximum length of the first finding that is stored with the mark. */
  whyCharacters: 500,
} as const

/** `unchecked`: the database could not be read yet. */
type LedgerState = 'sound' | 'broken' | 'unchecked'

/** Audits the money of a running server. */
interface Auditor {
  /** Runs the checks that find truncated or exchanged tables, and at a start those marked broken that need no slices. Called before the first call is answered. */
  quick(): Promise<void>
  /** Audits the next slice of the full audit. @returns false after the last slice */
  step(): Promise<boolean>
  /** The periodic job: one step, unless calls wait for the database. @returns ms until the next turn */
  turn(): Promise<number>
  state(): LedgerState
  /** Refuses money calls while a check is broken. @throws ApiProblem('ledger_inconsistent') for a call that moves money */
  admit(row: CallRow): void
  /** For /metrics: times of the last audits without a finding, in seconds since 1970 UTC; 0 for never. */
  metrics(): { quick_success: number; full_success: number; breaches: number; slices: number }
  start(): void
  stop(): Promise<void>
}

/** The checks that the database records as broken, with the number of times that each was found broken. */
type Recorded = ReadonlyMap<string, number>

interface Bounds {
  low: number | null
  high: number | null
}
interface Slice {
  check: Check
  range: Range
  /** The mark of the log of prices that moves from the beginning of this slice, once it was found sound. */
  mark?: { name: 'new' | 'again'; to: number }
}

/** The lowest and the highest number of a space. */
function boundsOf(over: Space) {
  if (over === 'event')
    return sql<Bounds>`select least((select min(id) from ledger_event), (select min(event_id) from ledger_posting)) as low,
      greatest((select max(id) from ledger_event), (select max(event_id) from ledger_posting)) as high`
  if (over === 'user')
    return sql<Bounds>`select least((select min(id) from account), (select min(uid) from ledger_account)) as low,
      greatest((select max(id) from account), (select max(uid) from ledger_account)) as high`
  return sql<Bounds>`select min(id) as low, max(id) as high from ${sql.table(over)}`
}

/** SQLSTATEs that mean damage: internal error or damaged data (XX), I/O error (58), missing table (42P01). */
const isDamage = (error: unknown) => /^(?:XX|58|42P01)/.test(String((error as { code?: unknown } | null)?.code))
const nameOf = ({ name, says }: Check) => `${name} ${says}`
const knownNames: ReadonlySet<string> = new Set(allChecks.map(nameOf))

/** Returns the marks of the database, for `npm run audit`. */
export async function readMarks({ db }: Pick<Database, 'db'>): Promise<Mark[]> {
  const { rows } = await sql<Mark>`select name, found, at, why from ledger_broken order by name`.execute(db)
  return rows
}

export function createAuditor(deps: { database: Database; clock: Clock; log: Log } & AuditOptions): Auditor {
  const { database, clock, log, decisions = false } = deps
  const broken = new Map<string, readonly string[]>()
  const counts = { quick_success: 0, full_success: 0, slices: 0 }
  let isChecked = false
  /** The running round: its slices, the checks that it may not clear, and the marks recorded at its start. */
  let round: { slices: Slice[]; notSound: Set<string>; isFull: boolean; failures: number; recorded: Recorded } | undefined
  let turnsSkipped = 0
  let timer: NodeJS.Timeout | undefined
  let underWay: Promise<unknown> | undefined

  const seconds = () => Math.floor(clock.now() / 1_000)

  /** Reading whole tables may take longer than the time limit of a call. */
  const whole = (check: Check) =>
    database.transaction(async (tx) => {
      await sql`set local statement_timeout = 0`.execute(tx)
      return breachesOf(tx, check)
    })

  /** Loads the marks of broken checks, including those from before the start and from other nodes. */
  async function load(): Promise<Recorded> {
    const { rows } = await sql<{ name: string; found: number }>`select name, found from ledger_broken`.execute(database.db)
    for (const { name } of rows) {
      if (broken.has(name)) continue
      broken.set(name, [])
      log.error(
        { event: 'audit', check: name },
        'ledger audit: the ledger was found broken earlier; calls that move money are refused until the check is sound',
      )
    }
    return new Map(rows.map(({ name, found }) => [name, found]))
  }

  /** A mark that cannot be written now is written when the check is found broken again. */
  async function record(name: string, breaches: readonly string[]): Promise<void> {
    const why = breaches.join('; ').slice(0, auditorLimits.whyCharacters)
    try {
      await sql`insert into ledger_broken (name, found, at, why) values (${name}, 1, ${clock.now()}, ${why})
        on conflict (name) do update set found = ledger_broken.found + 1`.execute(database.db)
    } catch (error) {
      log.warn({ err: error, event: 'audit', check: name }, 'ledger audit: a broken check could not be recorded')
    }
  }

  /** Removes the mark of a check whose rows were all found sound. A mark that another node has written meanwhile stays. */
  async function clear(name: string, recorded: Recorded): Promise<void> {
    const found = recorded.get(name)
    if (found !== undefined) await sql`delete from ledger_broken where name = ${name} and found = ${found}`.execute(database.db)
    broken.delete(name)
  }

  /** Runs one check on one range. @returns whether it holds @throws when the database could not be read */
  async function look({ check, range }: Slice): Promise<boolean> {
    let breaches: string[]
    try {
      breaches = await (range === everything ? whole(check) : breachesOf(database.db, check, range))
    } catch (error) {
      if (!isDamage(error)) throw error
      breaches = [`cannot be read: ${(error as Error).message}`]
    }
    counts.slices++
    if (!breaches.length) return true
    const name = nameOf(check)
    if (!broken.has(name))
      log.error(
        { event: 'audit', check: name, breaches, ...adviceOf[check.name] },
        'ledger audit: the ledger is broken; calls that move money are refused',
      )
    broken.set(name, breaches)
    await record(name, breaches)
    return false
  }

  async function quick(): Promise<void> {
    const recorded = await load()
    // At a start, a mark of a check that looks at everything at once need not wait for a whole round: its rows may have been repaired.
    const isMarked = (check: Check) => !isChecked && check.over === 'all' && !check.counts && broken.has(nameOf(check))
    const checks = (await checksFor(database.db, { decisions })).filter((check) => check.quick || isMarked(check))
    let isSound = true
    for (const check of checks) {
      if (await look({ check, range: everything })) await clear(nameOf(check), recorded)
      else isSound = false
    }
    isChecked = true
    if (isSound) counts.quick_success = seconds()
  }

  /**
   * The next ticks: what is new since the last round, then the log once more, from its beginning after its end. A mark stays before a slice that is
   * broken, so that each round looks at it again, also on other nodes and after a restart.
   */
  async function tickSlices(check: Check): Promise<Slice[]> {
    const { rows } = await sql<{ name: 'new' | 'again'; id: number; end: number }>`select name, id,
      coalesce((select max(id) from tick), 0) as end from tick_mark order by name desc`.execute(database.db)
    const slices: Slice[] = []
    let checked = 0
    for (const { name, id, end } of rows) {
      const last = name === 'new' ? end : checked
      if (name === 'new') checked = id
      for (let from = id; from < last && slices.length < auditorLimits.tickSlices; from += auditorLimits.ticks) {
        const to = Math.min(from + auditorLimits.ticks, last)
        slices.push({ check, range: { from, to }, mark: { name, to: name === 'again' && to === last ? 0 : to } })
      }
    }
    return slices
  }

  /** Moves a mark, unless another node has moved it meanwhile. */
  async function move({ name, to }: NonNullable<Slice['mark']>, from: number): Promise<void> {
    await sql`update tick_mark set id = ${to} where name = ${name} and id = ${from}`.execute(database.db)
  }

  async function slicesOf(check: Check): Promise<Slice[]> {
    if (check.over === 'all') return [{ check, range: everything }]
    if (check.over === 'tick') return tickSlices(check)
    const { rows } = await boundsOf(check.over).execute(database.db)
    const { low, high } = rows[0]!
    const slices: Slice[] = []
    if (low === null || high === null) return slices
    for (let from = low - 1; from < high; from += auditorLimits.rows) slices.push({ check, range: { from, to: from + auditorLimits.rows } })
    return slices
  }

  async function step(): Promise<boolean> {
    if (!isChecked) await quick()
    if (!round) {
      const recorded = await load()
      const slices: Slice[] = []
      for (const check of await checksFor(database.db, { decisions })) if (!check.counts) slices.push(...(await slicesOf(check)))
      round = { slices: slices.reverse(), notSound: new Set(), isFull: true, failures: 0, recorded }
    }
    const slice = round.slices.at(-1)
    if (slice) {
      if (!(await look(slice))) round.notSound.add(nameOf(slice.check))
      else if (slice.mark) await move(slice.mark, slice.range.from)
      round.slices.pop()
      round.failures = 0
      return true
    }
    // Checks that were found sound in a whole round are cleared. Checks that count whole tables are cleared by quick audits only.
    for (const check of await checksFor(database.db, { decisions }))
      if (!check.counts && !round.notSound.has(nameOf(check))) await clear(nameOf(check), round.recorded)
    // A check of another release that this release does not have can never be found sound.
    for (const name of broken.keys()) if (!knownNames.has(name)) await clear(name, round.recorded)
    await load()
    if (broken.size) await quick()
    if (!broken.size && round.isFull) counts.full_success = seconds()
    round = undefined
    return false
  }

  const schedule = (ms: number) => {
    timer = setTimeout(() => {
      underWay = next()
    }, ms).unref()
  }
  /** The same slice is tried again, up to `triesMax` times, so that it does not block the rest of the round. */
  function failed(error: unknown): void {
    if (isUnavailable(error)) return
    const check = round?.slices.at(-1)?.check
    log.warn(
      { err: error, event: 'audit', ...(check && { check: nameOf(check) }) },
      'ledger audit: a part of the ledger could not be read; it is tried again',
    )
    if (!round || !check || ++round.failures < auditorLimits.triesMax) return
    round.slices.pop()
    round.failures = 0
    round.isFull = false
    round.notSound.add(nameOf(check))
  }
  async function turn(): Promise<number> {
    if (database.waiting() > 0 && turnsSkipped < auditorLimits.turnsSkippedMax) {
      turnsSkipped++
      return auditorLimits.pauseMs
    }
    turnsSkipped = 0
    try {
      return (await step()) ? auditorLimits.pauseMs : auditorLimits.everyMs
    } catch (error) {
      failed(error)
      return auditorLimits.retryMs
    }
  }
  async function next(): Promise<void> {
    const pause = await turn()
    if (timer) schedule(pause)
  }

  const state = (): LedgerState => (broken.size ? 'broken' : isChecked ? 'sound' : 'unchecked')
  return {
    quick: () =>
      quick().catch((error: unknown) => {
        log.error(
          { err: error, event: 'audit' },
          'ledger audit: the ledger could not be read; calls that move money are refused until it can',
        )
      }),
    step,
    turn,
    state,
    admit(row) {
      if (row.keyed !== 'money' || state() === 'sound') return
      throw new ApiProblem('ledger_inconsistent', { retryAfterSeconds: auditorLimits.retryAfterSeconds })
    },
    metrics: () => ({ ...counts, breaches: broken.size }),
    start: () => schedule(isChecked ? auditorLimits.everyMs : auditorLimits.pauseMs),
    async stop() {
      clearTimeout(timer)
      timer = undefined
      await underWay
    },
  }
}
