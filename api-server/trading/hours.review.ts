import type { z } from 'zod'
import type { OfficePorts } from '#api-server/kit/decision.ts'
import { defineProposal, type OpenProposals, type ProposalDone } from '#api-server/kit/proposals.ts'
import { shownVersions } from '#api-server/kit/terms.ts'
import { calendarChanges, calendarText, pastIn, readCalendar, type TypedCalendar } from '#api-server/trading/calendar.rules.ts'
import { nextDays } from '#api-server/trading/hours.rules.ts'
import type { CalendarVersion, TradingStore } from '#api-server/trading/trading.store.ts'
import type { Trading } from '#api-server/trading/trading.ts'
import type { backOfficeTradingCalls, groupHours } from '#contract/calls/office.trading.calls.ts'
import { ApiProblem } from '#contract/problem.ts'
import { type TradedGroup, type TradingCalendar, tradedGroups, tradingCalendar } from '#contract/trading.ts'
import { type Tx, takeTurnIn } from '#server-kit/db/db.ts'
import type { Operator } from '#server-kit/http/http.ts'

/** The decisions of operators about trading hours. */

type GroupHours = z.output<typeof groupHours>
type ShownDays = GroupHours['next']
type Previewed = z.output<(typeof backOfficeTradingCalls)['office.calendarPreview']['output']>

export interface HoursReview {
  calendars(): Promise<z.output<(typeof backOfficeTradingCalls)['office.calendars']['output']>>
  calendar(group: TradedGroup, operator: Operator, at: number): Promise<GroupHours>
  /** Returns the calendar that typed hours would give; no change yet. */
  previewCalendar(group: TradedGroup, typed: TypedCalendar, at: number): Promise<Previewed>
  /** @param typed with the version that the page showed @throws ApiProblem('state_wrong' | 'parameter_error' | 'terms_changed' | 'fresh_login_required') */
  proposeCalendar(
    tx: Tx,
    by: Operator,
    change: { group: TradedGroup; typed: TypedCalendar; version?: number | undefined; at: number },
  ): Promise<ProposalDone>
  readonly hours: OpenProposals<TradingCalendar | null>
}

/** So many trading days does an operator see ahead. */
const daysAhead = 10

const shownDays = (calendar: TradingCalendar | undefined, at: number): ShownDays =>
  nextDays(calendar, at, daysAhead).map(({ sessions, ...day }) => ({
    ...day,
    hours: sessions.map(({ from, to }) => `${from}–${to}`).join(', '),
  }))

interface HoursContext {
  store: TradingStore
  trading: Pick<Trading, 'changed'>
  office: OfficePorts
}
/** Every version of the hours of a group, newest first. */
const historyOf = async (store: TradingStore, group: string, tx?: Tx): Promise<CalendarVersion[]> =>
  (await store.calendars(tx)).filter((row) => row.group === group).reverse()

/** Trading hours of a group of symbols; null: at all times. */
export const hoursProposals = defineProposal<HoursContext, TradingCalendar | null>({
  kind: 'hours',
  actions: 'hours',
  subject: (group) => `hours:${group}`,
  read: (stored) => (stored === null ? null : tradingCalendar.parse(stored)),
  async now({ store, office }, group, tx) {
    if (tx) await takeTurnIn(office.database, tx, 'terms')
    const [now] = await historyOf(store, group, tx)
    return { version: now?.version ?? 0, terms: now && (now.calendar ?? null) }
  },
  changes: (_context, _group, before, after) => calendarChanges(before ?? undefined, after ?? undefined),
  check(_context, { before, after }, _tx, at) {
    // A day that was ahead when it was proposed may be over now.
    const past = pastIn(before ?? undefined, after ?? undefined, at)
    if (past) throw new ApiProblem('parameter_error', { field: past.wrong })
  },
  async apply({ store }, { tx, at }, { subject: group, after, by: changed_by }) {
    await store.setCalendar(tx, { group, calendar: after ?? undefined, changed_by, at })
    return []
  },
  announce: ({ trading }) => trading.changed(),
})

export function createHoursReview(store: TradingStore, trading: Pick<Trading, 'changed'>, office: OfficePorts): HoursReview {
  const hours = hoursProposals.open(office, { store, trading, office })

  const rowOf = (group: TradedGroup, now: CalendarVersion | undefined, proposed: boolean) => ({
    group,
    always: !now?.calendar,
    ...calendarText(now?.calendar),
    version: now?.version ?? 0,
    changed_by: now?.changed_by ?? '',
    changed: now?.at ?? null,
    proposed,
  })
  async function read(group: TradedGroup, typed: TypedCalendar, at: number, tx?: Tx) {
    const found = readCalendar(typed)
    if ('wrong' in found) return found
    const [now] = await historyOf(store, group, tx)
    return pastIn(now?.calendar, found.calendar, at) ?? { now, calendar: found.calendar }
  }

  return {
    hours,
    async calendars() {
      const [versions, open] = [await store.calendars(), await hours.open()]
      const now = new Map(versions.map((row) => [row.group, row]))
      return {
        list: tradedGroups.map((group) => rowOf(group, now.get(group), open.has(group))),
      }
    },
    async calendar(group, operator, at) {
      const [history, waits] = [await historyOf(store, group), await hours.shown(group, operator)]
      const now = history[0]
      const proposed = waits?.after ?? undefined
      const past = waits !== undefined && pastIn(now?.calendar, proposed, at) !== undefined
      return {
        ...rowOf(group, now, waits !== undefined),
        next: shownDays(now?.calendar, at),
        proposal: waits
          ? { ...waits.shown, may_agree: waits.shown.may_agree && !past, always: !proposed, past, next: shownDays(proposed, at) }
          : null,
        versions: shownVersions(history, (before, after) => calendarChanges(before.calendar, after.calendar)),
      }
    },
    async previewCalendar(group, typed, at) {
      const found = await read(group, typed, at)
      if ('wrong' in found) return { always: false, list: [], ...found }
      return { always: !found.calendar, list: shownDays(found.calendar, at), wrong: '', why: '' }
    },
    async proposeCalendar(tx, by, { group, typed, version, at }) {
      const found = await read(group, typed, at, tx)
      if ('wrong' in found) throw new ApiProblem('parameter_error', { field: found.wrong })
      return hours.propose(tx, by, { subject: group, after: found.calendar ?? null, version })
    },
  }
}
