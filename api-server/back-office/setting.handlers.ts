import Big from 'big.js'
import type { BackOfficeContext } from '#api-server/back-office/context.ts'
import { type createRuleOfTwo, fourEyesUsd } from '#api-server/back-office/rule-of-two.ts'
import { decided } from '#api-server/kit/decision.ts'
import type { backOfficeCalls } from '#contract/calls/office.calls.ts'
import { plain } from '#contract/money.ts'
import { ApiProblem } from '#contract/problem.ts'
import { typedAmount } from '#contract/rules/amount.rules.ts'
import { takeTurnIn } from '#server-kit/db/db.ts'
import type { Handlers } from '#server-kit/http/http.ts'

/** Cents; nobody could keep a rule with more decimals. */
const usdScale = 2

/**
 * The rule of two. Making it stricter counts at once. Making it weaker waits until a second administrator agrees: who could raise it alone could
 * raise it first and then approve alone.
 */
export function settingHandlers(
  context: BackOfficeContext,
  rule: ReturnType<typeof createRuleOfTwo>,
): Pick<Handlers<typeof backOfficeCalls>, 'office.settings' | 'office.settingsSave'> {
  const { database, once, queueChanged } = context
  return {
    'office.settings': (_input, { operator }) => rule.shown(operator),
    async 'office.settingsSave'(input, caller) {
      const parsed = typedAmount(input.four_eyes_usd, usdScale)
      if (!parsed) throw new ApiProblem('amount_wrong', { field: 'four_eyes_usd' })
      const { operator } = caller
      const usd = plain(parsed)
      await once.run(caller, { call: 'office.settingsSave', input }, async (tx) => {
        await takeTurnIn(database, tx, 'terms')
        const before = await fourEyesUsd(database, tx)
        if (new Big(usd).gt(before)) return rule.propose(tx, operator, usd)
        return decided(context, tx, operator, async (decision) => {
          await rule.tighten(decision, usd)
          return { answer: {}, notes: [{ action: 'settings.four_eyes', subject: 'settings', detail: `${before} → ${usd}` }] }
        })
      })
      queueChanged()
      return rule.shown(operator)
    },
  }
}
