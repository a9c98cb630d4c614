import type { z } from 'zod'
import { calendarChanges, calendarText, pastIn, readCalendar, type TypedCalendar } from '#api-server/trading/calendar.rules.ts'
import { nextDays } from '#api-server/trading/hours.rules.ts'
import { createProposals, detailOf, shownProposal, shownVersions } from '#api-server/trading/proposals.ts'
import type { CalendarVersion, TradingProposal, TradingStore } from '#api-server/trading/trading.store.ts'
import type { backOfficeTradingCalls, groupHours } from '#contract/calls/office.trading.calls.ts'
import { ApiProblem } from '#contract/problem.ts'
import { type TradedGroup, type TradingCalendar, tradedGroups, tradingCalendar } from '#contract/trading.ts'
import type { Tx } from '#server-kit/db/db.ts'
import type { Operator } from '#server-kit/http/http.ts'

/** The decisions of operators about trading hours. */

type GroupHours = z.output<typeof groupHours>
type ShownDays = GroupHours['next']
type Previewed = z.output<(typeof backOfficeTradingCalls)['office.calendarPreview']['output']>

/** The result of a decision, for the log. */
export interface HoursDone {
  group: TradedGroup
  detail: string
}

export interface HoursReview {
  calendars(): Promise<z.output<(typeof backOfficeTradingCalls)['office.calendars']['output']>>
  calendar(group: TradedGroup, operator: Operator, at: number): Promise<GroupHours>
  /** Returns the calendar that typed hours would give; no change yet. */
  previewCalendar(group: TradedGroup, typed: TypedCalendar, at: number): Promise<Previewed>
  /** @param typed with the version that the page showed @throws ApiProblem('state_wrong' | 'parameter_error' | 'terms_changed') */
  proposeCalendar(
    tx: Tx,
    group: TradedGroup,
    typed: TypedCalendar & { version?: number | undefined },
    by: Operator,
    at: number,
  ): Promise<HoursDone>
  /** @throws ApiProblem('state_wrong' | 'own_decision'), and 'parameter_error' with the field of a day that has passed since the proposal */
  agreeCalendar(tx: Tx, id: number, by: Operator, at: number): Promise<HoursDone>
  /** @throws ApiProblem('state_wrong') */
  dropCalendar(tx: Tx, id: number, by: Operator, at: number): Promise<HoursDone & { own: boolean }>
}

/** So many trading days does an operator see ahead. */
const daysAhead = 10

const shownDays = (calendar: TradingCalendar | undefined, at: number): ShownDays =>
  nextDays(calendar, at, daysAhead).map(({ sessions, ...day }) => ({
    ...day,
    hours: sessions.map(({ from, to }) => `${from}–${to}`).join(', '),
  }))
const proposedIn = ({ terms }: TradingProposal): TradingCalendar | undefined => (terms === null ? undefined : tradingCalendar.parse(terms))

export function createHoursReview(store: TradingStore): HoursReview {
  const proposals = createProposals(store)

  /** Every version of the hours of a group, newest first. */
  const historyOf = async (group: TradedGroup, tx?: Tx): Promise<CalendarVersion[]> =>
    (await store.calendars(tx)).filter((row) => row.group === group).reverse()
  const rowOf = (group: TradedGroup, now: CalendarVersion | undefined, proposed: boolean) => ({
    group,
    always: !now?.calendar,
    ...calendarText(now?.calendar),
    version: now?.version ?? 0,
    changed_by: now?.changed_by ?? '',
    changed: now?.at ?? null,
    proposed,
  })
  /** A proposal about hours, and what it would change. @throws ApiProblem('state_wrong') */
  async function waiting(tx: Tx, id: number) {
    const row = await proposals.open(tx, id)
    const group = tradedGroups.find((one) => one === row.group)
    if (!group) throw new ApiProblem('state_wrong')
    return { row, group }
  }
  async function read(group: TradedGroup, typed: TypedCalendar, at: number, tx?: Tx) {
    const found = readCalendar(typed)
    if ('wrong' in found) return found
    const [now] = await historyOf(group, tx)
    return pastIn(now?.calendar, found.calendar, at) ?? { now, calendar: found.calendar }
  }

  return {
    async calendars() {
      const [versions, open] = [await store.calendars(), await store.openProposals()]
      const now = new Map(versions.map((row) => [row.group, row]))
      return {
        list: tradedGroups.map((group) =>
          rowOf(
            group,
            now.get(group),
            open.some((row) => row.group === group),
          ),
        ),
      }
    },
    async calendar(group, operator, at) {
      const [history, row] = [await historyOf(group), await store.proposal({ group })]
      const now = history[0]
      const proposed = row && proposedIn(row)
      const past = pastIn(now?.calendar, proposed, at) !== undefined
      const shown = row && shownProposal(row, calendarChanges(now?.calendar, proposed), operator)
      return {
        ...rowOf(group, now, row !== undefined),
        next: shownDays(now?.calendar, at),
        proposal: shown ? { ...shown, may_agree: shown.may_agree && !past, always: !proposed, past, next: shownDays(proposed, at) } : null,
        versions: shownVersions(history, (before, after) => calendarChanges(before.calendar, after.calendar)),
      }
    },
    async previewCalendar(group, typed, at) {
      const found = await read(group, typed, at)
      if ('wrong' in found) return { always: false, list: [], ...found }
      return { always: !found.calendar, list: shownDays(found.calendar, at), wrong: '', why: '' }
    },
    async proposeCalendar(tx, group, typed, by, at) {
      const found = await read(group, typed, at, tx)
      if ('wrong' in found) throw new ApiProblem('parameter_error', { field: found.wrong })
      const { now, calendar } = found
      if (typed.version !== undefined && typed.version !== (now?.version ?? 0)) throw new ApiProblem('terms_changed')
      const changes = calendarChanges(now?.calendar, calendar)
      await proposals.add(tx, { group }, { version: now?.version ?? 0, terms: calendar ?? null, changes }, by, at)
      return { group, detail: detailOf(changes) }
    },
    async agreeCalendar(tx, id, by, at) {
      const { row, group } = await waiting(tx, id)
      const [now] = await historyOf(group, tx)
      const calendar = proposedIn(row)
      const changed_by = await proposals.agree(tx, row, now?.version ?? 0, by, at)
      // A day that was ahead when it was proposed may be over now.
      const past = pastIn(now?.calendar, calendar, at)
      if (past) throw new ApiProblem('parameter_error', { field: past.wrong })
      await store.setCalendar(tx, { group, calendar, changed_by, at })
      return { group, detail: detailOf(calendarChanges(now?.calendar, calendar)) }
    },
    async dropCalendar(tx, id, by, at) {
      const { row, group } = await waiting(tx, id)
      return { group, detail: row.operator, own: await proposals.drop(tx, row, by, at) }
    },
  }
}
