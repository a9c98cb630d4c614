import Big from 'big.js'
import type { Person } from '#api-server/account/people.reads.ts'
import { type BackOfficeContext, personOf } from '#api-server/back-office/context.ts'
import { createFreezing } from '#api-server/back-office/freezing.ts'
import type { Balance } from '#api-server/back-office/ports.ts'
import { decideOnce } from '#api-server/kit/decision.ts'
import type { backOfficeCalls } from '#contract/calls/office.calls.ts'
import { plain } from '#contract/money.ts'
import type { Handlers } from '#server-kit/http/http.ts'

type Calls = Pick<
  Handlers<typeof backOfficeCalls>,
  'office.customers' | 'office.customer' | 'office.customerFreeze' | 'office.customerEndSessions'
>

const movementsShown = 20

const worth = (balances: readonly Balance[]) => plain(balances.reduce((sum, { usd }) => sum.plus(usd), new Big(0)))
const rowOf = (
  { uid, nickname, contact, level, demo, status, created, seen }: Person,
  balances: readonly Balance[],
  asked: ReadonlyMap<string, string>,
) => ({
  uid,
  nickname,
  contact,
  level,
  demo,
  status,
  freeze_asked: asked.get(String(uid)) ?? '',
  created,
  seen,
  usd: worth(balances),
})

/** Calls about customers and what operators may do to their accounts. */
export function customerHandlers(context: BackOfficeContext): Calls {
  const { people, books, accounts, exposure } = context
  const freezing = createFreezing(context, accounts, exposure)
  return {
    async 'office.customers'({ page, size, search, status }) {
      const { list, total } = await people.page({ search, status, page, size })
      const [balances, asked] = [await books.balances(list.map(({ uid }) => uid)), await freezing.asked()]
      return { list: list.map((person) => rowOf(person, balances.get(person.uid) ?? [], asked)), total }
    },
    async 'office.customer'({ uid }) {
      const person = await personOf(context, uid)
      const [known, sessions, log, positions, asked] = await Promise.all([
        books.balances([uid]),
        accounts.sessions(uid),
        books.movements(uid, movementsShown),
        exposure.openOf(uid),
        freezing.asked(),
      ])
      const balances = known.get(uid) ?? []
      return {
        ...rowOf(person, balances, asked),
        hold_until: person.holdUntil,
        sessions,
        log,
        positions,
        balances: balances.map((balance) => ({ id: `${balance.account}:${balance.currency_code}`, ...balance })),
      }
    },
    async 'office.customerFreeze'(input, caller) {
      const { uid, reason } = input
      const frozen = input.frozen === '1'
      const balances = (await books.balances([uid])).get(uid) ?? []
      const row = await context.once.run(caller, { call: 'office.customerFreeze', input }, async (tx) => {
        await freezing.decide(tx, caller.operator, { uid, frozen, reason })
        return rowOf(await personOf(context, uid, tx), balances, await freezing.asked(tx))
      })
      accounts.tell(uid)
      return row
    },
    async 'office.customerEndSessions'(input, caller) {
      const { uid, reason } = input
      const done = await decideOnce(context, caller, 'office.customerEndSessions', input, async ({ tx }) => {
        await personOf(context, uid, tx)
        const ended = await accounts.endSessions(tx, uid)
        return { answer: { ended }, notes: [{ action: 'customer.end_sessions', subject: `customer:${uid}`, detail: reason }] }
      })
      accounts.tell(uid)
      return done
    },
  }
}
