import { timeText } from '#contract/rules/term.rules.ts'
import type { Aids } from '#tests/support/browser/aids.ts'
import { atBackOffice, operator } from '#tests/support/people/operators.ts'
import type { Person } from '#tests/support/people/people.ts'

/** Tasks of the back office that customers need before they can trade. */

/** Accepts the application of a customer as a trader. */
export async function acceptTrader(origin: string, { uid }: Person): Promise<void> {
  const reviewer = await operator(origin, `traders-${uid}`, ['reviewer'])
  const { list } = await atBackOffice<{ list: { id: number }[] }>(origin, reviewer, 'office.traders', { search: String(uid) })
  await atBackOffice(origin, reviewer, 'office.traderApprove', { id: String(list[0]!.id), note: 'known' })
}

/** Makes a customer a trader whom others can copy. */
export async function makeTrader(origin: string, { api }: Pick<Aids, 'api'>, who: Person, nickname: string): Promise<void> {
  await api(who, 'follow.apply', { nickname, introduction: 'A few trades a week' })
  await acceptTrader(origin, who)
}

/** An open OTC offer: one administrator has proposed it, and another agreed. @returns its number */
export async function makeOffer(origin: string, fields: Record<string, string>): Promise<string> {
  const [rita, chief] = [await operator(origin, 'offer-rita', ['administrator']), await operator(origin, 'offer-chief', ['administrator'])]
  const terms = { coin: 'BTC', side: 'buy', price: '50000.5', amount_min: '0.01', amount_max: '1', whole: '5', ...fields }
  const made = await atBackOffice<{ id: number; proposal: { id: number } }>(origin, rita, 'office.otcOfferSave', terms)
  await atBackOffice(origin, chief, 'office.proposalAgree', { id: String(made.proposal.id) })
  return String(made.id)
}

const dayMs = 86_400_000

/**
 * A dual investment on sale: calls on bitcoin at 60,000 with 36.5 % a year in shares of 0.01, which one administrator has proposed, and another agreed.
 * @param now ms UTC, by the clock of the server; it matures two UTC dates later, so that the yield is 0.2 %
 */
export async function makeDual(origin: string, now: number, fields: Record<string, string> = {}): Promise<{ id: string; matures: number }> {
  const [rita, chief] = [await operator(origin, 'dual-rita', ['administrator']), await operator(origin, 'dual-chief', ['administrator'])]
  const matures = Math.floor(now / dayMs) * dayMs + 2 * dayMs + 8 * 3_600_000
  const terms = { market: 'BTCUSDT', type: 'call', linked: '60000', yearly: '36.5', share: '0.01', total: '5', limit_each: '4', risk: '3' }
  const times = { starts_at: timeText(now - 60_000), ends_at: timeText(matures - dayMs), matures_at: timeText(matures) }
  const typed = { product: 'dual', ...terms, ...times, ...fields }
  const made = await atBackOffice<{ key: string; proposal: { id: number } }>(origin, rita, 'office.termsSave', typed)
  await atBackOffice(origin, chief, 'office.proposalAgree', { id: String(made.proposal.id) })
  return { id: made.key, matures }
}
