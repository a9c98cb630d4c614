import { sql } from 'kysely'
import { type Check, everything, type Range, type Space } from '#api-server/ledger/audit.check.ts'
import { type AuditOptions, allChecks, breachesOf, checksFor } from '#api-server/ledger/audit.ts'
import type { Mark } from '#api-server/ledger/mark.rules.ts'
import type { CallRow } from '#contract/call.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Database } from '#server-kit/db/db.ts'
import { isUnavailable } from '#server-kit/http/unavailable.ts'
import type { Clock } from '#server-kit/ops/clock.ts'
import type { Log } from '#server-kit/ops/log.ts'

export const auditorLimits = {
  /** From the end of one audit of everything to the start of the next. */
  everyMs: 60_000,
  /** Pause between two slices, so that calls of customers come first. */
  pauseMs: 100,
  /** Rows of one slice: some milliseconds on the embedded database, which does nothing else meanwhile. */
  rows: 200,
  /** A slice waits while calls wait for the database, but not longer than so many turns. */
  turnsSkippedMax: 10,
  /** So often a slice that cannot be looked at is tried before the round goes on without it. */
  triesMax: 3,
  /** From one try that failed to the next. */
  retryMs: 5_000,
  retryAfterSeconds: 60,
  /** Of what was found first, kept beside the mark. */
  whyCharacters: 500,
} as const

/** `unchecked`: the database could not be asked yet. */
export type LedgerState = 'sound' | 'broken' | 'unchecked'

/** Looks at the money of a server that runs. */
export interface Auditor {
  /** The checks that find a database whose tables were cut or exchanged. Before the first call is answered. */
  quick(): Promise<void>
  /** Does the next slice of the audit of everything. @returns false when that was the last one */
  step(): Promise<boolean>
  /** What the server does again and again: a step, unless calls wait for the database. @returns ms until the next turn */
  turn(): Promise<number>
  state(): LedgerState
  /** @throws ApiProblem('ledger_inconsistent') for a call that moves money, while a promise about money is broken */
  admit(row: CallRow): void
  /** For /metrics: seconds UTC of the last audits that found nothing, 0 for never. */
  metrics(): { quick_success: number; full_success: number; breaches: number; slices: number }
  start(): void
  stop(): Promise<void>
}

/** How often each check that the database records as broken has been found broken. */
type Recorded = ReadonlyMap<string, number>

interface Slice {
  check: Check
  range: Range
}

const bounds: Record<Exclude<Space, 'all'>, ReturnType<typeof sql>> = {
  event: sql`select least((select min(id) from ledger_event), (select min(event_id) from ledger_posting)) as low,
    greatest((select max(id) from ledger_event), (select max(event_id) from ledger_posting)) as high`,
  account: sql`select min(id) as low, max(id) as high from ledger_account`,
  user: sql`select min(uid) as low, max(uid) as high from (select min(uid) as uid from ledger_account union all select max(uid) from ledger_account
    union all select min(uid) from funding union all select max(uid) from funding
    union all select min(uid) from lever_position union all select max(uid) from lever_position
    union all select min(uid) from option_order union all select max(uid) from option_order
    union all select min(uid) from spot_order union all select max(uid) from spot_order) u`,
  funding: sql`select min(id) as low, max(id) as high from funding`,
  position: sql`select min(id) as low, max(id) as high from lever_position`,
  margin: sql`select min(id) as low, max(id) as high from lever_margin`,
  option: sql`select min(id) as low, max(id) as high from option_order`,
  order: sql`select min(id) as low, max(id) as high from spot_order`,
  fill: sql`select min(id) as low, max(id) as high from spot_fill`,
  desk: sql`select min(id) as low, max(id) as high from desk_audit`,
}

/** SQLSTATE of damage: an internal error or damaged data, an error of the disk, a table that is gone. */
const isDamage = (error: unknown) => /^(?:XX|58|42P01)/.test(String((error as { code?: unknown } | null)?.code))
const nameOf = ({ name, says }: Check) => `${name} ${says}`
const knownNames: ReadonlySet<string> = new Set(allChecks.map(nameOf))

/** The marks of the database, for `npm run audit`. */
export async function readMarks({ db }: Pick<Database, 'db'>): Promise<Mark[]> {
  const { rows } = await sql<Mark>`select name, found, at, why from ledger_broken order by name`.execute(db)
  return rows
}

export function createAuditor(deps: { database: Database; clock: Clock; log: Log } & AuditOptions): Auditor {
  const { database, clock, log, decisions = false } = deps
  const broken = new Map<string, readonly string[]>()
  const told = { quick_success: 0, full_success: 0, slices: 0 }
  let isChecked = false
  /** Slices of the round that is under way, the checks that it does not clear, and what was recorded when it began. */
  let round: { slices: Slice[]; notSound: Set<string>; isFull: boolean; failures: number; recorded: Recorded } | undefined
  let turnsSkipped = 0
  let timer: NodeJS.Timeout | undefined
  let underWay: Promise<unknown> | undefined

  const seconds = () => Math.floor(clock.now() / 1_000)

  /** Whole tables may take longer than a call of a customer ever may. */
  const whole = (check: Check) =>
    database.transaction(async (tx) => {
      await sql`set local statement_timeout = 0`.execute(tx)
      return breachesOf(tx, check)
    })

  /** Takes over what the database records as broken, also from before the start and from other nodes. */
  async function load(): Promise<Recorded> {
    const { rows } = await sql<{ name: string; found: number }>`select name, found from ledger_broken`.execute(database.db)
    for (const { name } of rows) {
      if (broken.has(name)) continue
      broken.set(name, [])
      log.error(
        { event: 'audit', check: name },
        'the ledger was found broken earlier; calls that move money are refused until the check is sound',
      )
    }
    return new Map(rows.map(({ name, found }) => [name, found]))
  }

  /** A record that cannot be written now is written when the check is next found broken. */
  async function record(name: string, breaches: readonly string[]): Promise<void> {
    const why = breaches.join('; ').slice(0, auditorLimits.whyCharacters)
    try {
      await sql`insert into ledger_broken (name, found, at, why) values (${name}, 1, ${clock.now()}, ${why})
        on conflict (name) do update set found = ledger_broken.found + 1`.execute(database.db)
    } catch (error) {
      log.warn({ err: error, event: 'audit', check: name }, 'a broken check could not be recorded')
    }
  }

  /** After all rows of a check were found sound. A record that another node has written meanwhile stays. */
  async function clear(name: string, recorded: Recorded): Promise<void> {
    const found = recorded.get(name)
    if (found !== undefined) await sql`delete from ledger_broken where name = ${name} and found = ${found}`.execute(database.db)
    broken.delete(name)
  }

  /** @returns whether the promise holds @throws when the database could not be asked */
  async function look({ check, range }: Slice): Promise<boolean> {
    let breaches: string[]
    try {
      breaches = await (range === everything ? whole(check) : breachesOf(database.db, check, range))
    } catch (error) {
      if (!isDamage(error)) throw error
      breaches = [`cannot be read: ${(error as Error).message}`]
    }
    told.slices++
    if (!breaches.length) return true
    const name = nameOf(check)
    if (!broken.has(name)) log.error({ event: 'audit', check: name, breaches }, 'the ledger is broken; calls that move money are refused')
    broken.set(name, breaches)
    await record(name, breaches)
    return false
  }

  async function quick(): Promise<void> {
    const recorded = await load()
    const checks = (await checksFor(database.db, { decisions })).filter((check) => check.quick)
    let isSound = true
    for (const check of checks) {
      if (await look({ check, range: everything })) await clear(nameOf(check), recorded)
      else isSound = false
    }
    isChecked = true
    if (isSound) told.quick_success = seconds()
  }

  async function slicesOf(check: Check): Promise<Slice[]> {
    if (check.over === 'all') return [{ check, range: everything }]
    const { rows } = await sql<{ low: number | null; high: number | null }>`${bounds[check.over]}`.execute(database.db)
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
      round.slices.pop()
      round.failures = 0
      return true
    }
    // What was broken and was found sound in a whole round has been put right; counts are for quick audits to judge.
    for (const check of await checksFor(database.db, { decisions }))
      if (!check.counts && !round.notSound.has(nameOf(check))) await clear(nameOf(check), round.recorded)
    // A check that another release had and this one has not can never be found sound.
    for (const name of broken.keys()) if (!knownNames.has(name)) await clear(name, round.recorded)
    await load()
    if (broken.size) await quick()
    if (!broken.size && round.isFull) told.full_success = seconds()
    round = undefined
    return false
  }

  const schedule = (ms: number) => {
    timer = setTimeout(() => {
      underWay = next()
    }, ms).unref()
  }
  /** The same slice comes again, but one that cannot be looked at does not keep the round from the others. */
  function failed(error: unknown): void {
    if (isUnavailable(error)) return
    const check = round?.slices.at(-1)?.check
    log.warn({ err: error, event: 'audit', ...(check && { check: nameOf(check) }) }, 'a part of the ledger could not be looked at')
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
        log.error({ err: error, event: 'audit' }, 'the ledger could not be looked at; calls that move money are refused until it is')
      }),
    step,
    turn,
    state,
    admit(row) {
      if (row.keyed !== 'money' || state() === 'sound') return
      throw new ApiProblem('ledger_inconsistent', { retryAfterSeconds: auditorLimits.retryAfterSeconds })
    },
    metrics: () => ({ ...told, breaches: broken.size }),
    start: () => schedule(isChecked ? auditorLimits.everyMs : auditorLimits.pauseMs),
    async stop() {
      clearTimeout(timer)
      timer = undefined
      await underWay
    },
  }
}
