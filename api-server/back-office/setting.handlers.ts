import Big from 'big.js'
import type { BackOfficeContext } from '#api-server/back-office/context.ts'
import type { BackOfficeSettings, Proposal } from '#api-server/back-office/setting.store.ts'
import { type Decided, type Decision, decideOnce, type OfficeCall, proven } from '#api-server/kit/decision.ts'
import type { backOfficeCalls } from '#contract/calls/office.calls.ts'
import { plain } from '#contract/money.ts'
import { ApiProblem } from '#contract/problem.ts'
import { typedAmount } from '#contract/rules/amount.rules.ts'
import type { Tx } from '#server-kit/db/db.ts'
import type { Handlers, Operator, OperatorCaller } from '#server-kit/http/http.ts'

type Calls = Pick<
  Handlers<typeof backOfficeCalls>,
  'office.settings' | 'office.settingsSave' | 'office.settingsAgree' | 'office.settingsDrop'
>

/** Cents; more is no rule that anybody could keep. */
const usdScale = 2
const subject = 'settings'

/**
 * The rule of two. Making it stricter counts at once. Making it weaker waits until a second administrator agrees: who could raise it alone could
 * raise it first and then approve alone.
 */
export function settingHandlers(parts: BackOfficeContext): Calls {
  const { settings, queueChanged } = parts

  /** Open pages get the change. */
  async function change<A>(
    caller: OperatorCaller,
    call: OfficeCall,
    input: object,
    work: (decision: Decision) => Promise<Decided<A>>,
  ): Promise<A> {
    const answer = await decideOnce<A>(parts, caller, call, input, work)
    queueChanged()
    return answer
  }

  const shown = (now: BackOfficeSettings, waits: Proposal | undefined, { id, roles }: Operator) => ({
    ...now,
    proposal: waits
      ? {
          id: waits.id,
          from: waits.from_value,
          to: waits.to_value,
          by: waits.operator,
          time: waits.at,
          own: waits.operator_id === id,
          may_agree: waits.operator_id !== id && roles.includes('administrator'),
        }
      : null,
  })

  /** The proposal that waits, if it is the one that the operator has seen. */
  async function waiting(tx: Tx, id: number): Promise<{ now: BackOfficeSettings; proposal: Proposal }> {
    const now = await settings.lock(tx)
    const proposal = await settings.proposal(tx)
    if (proposal?.id !== id || proposal.from_value !== now.four_eyes_usd) throw new ApiProblem('state_wrong')
    return { now, proposal }
  }
  const told = ({ from_value, to_value, operator }: Proposal) => `${from_value} → ${to_value} (${operator})`

  return {
    'office.settings': async (_input, { operator }) => shown(await settings.read(), await settings.proposal(), operator),
    'office.settingsSave': (input, caller) => {
      const parsed = typedAmount(input.four_eyes_usd, usdScale)
      if (!parsed) throw new ApiProblem('amount_wrong', { field: 'four_eyes_usd' })
      const { operator } = caller
      const usd = plain(parsed)
      return change(caller, 'office.settingsSave', input, async ({ tx, at }) => {
        const before = await settings.lock(tx)
        const detail = `${before.four_eyes_usd} → ${usd}`
        if (new Big(usd).gt(before.four_eyes_usd)) {
          if (await settings.proposal(tx)) throw new ApiProblem('state_wrong')
          proven(operator)
          const about = { from_value: before.four_eyes_usd, to_value: usd, operator_id: operator.id, operator: operator.name, at }
          const waits = await settings.propose(tx, about)
          return { answer: shown(before, waits, operator), notes: [{ action: 'settings.propose', subject, detail }] }
        }
        await settings.end(tx, 'overtaken', operator.name, at)
        await settings.save(tx, usd, operator.name, at)
        const now = { four_eyes_usd: usd, changed_by: operator.name, changed: at }
        return { answer: shown(now, undefined, operator), notes: [{ action: 'settings.four_eyes', subject, detail }] }
      })
    },
    'office.settingsAgree': (input, caller: OperatorCaller) => {
      const { operator } = caller
      return change(caller, 'office.settingsAgree', input, async ({ tx, at }) => {
        const { proposal } = await waiting(tx, input.id)
        if (proposal.operator_id === operator.id) throw new ApiProblem('own_decision')
        proven(operator)
        const by = `${proposal.operator}, ${operator.name}`
        await settings.end(tx, 'agreed', operator.name, at)
        await settings.save(tx, proposal.to_value, by, at)
        const now = { four_eyes_usd: proposal.to_value, changed_by: by, changed: at }
        return { answer: shown(now, undefined, operator), notes: [{ action: 'settings.agree', subject, detail: told(proposal) }] }
      })
    },
    'office.settingsDrop': (input, caller: OperatorCaller) => {
      const { operator } = caller
      return change(caller, 'office.settingsDrop', input, async ({ tx, at }) => {
        const { now, proposal } = await waiting(tx, input.id)
        const own = proposal.operator_id === operator.id
        await settings.end(tx, own ? 'withdrawn' : 'refused', operator.name, at)
        const action = own ? 'settings.withdraw' : 'settings.refuse'
        return { answer: shown(now, undefined, operator), notes: [{ action, subject, detail: told(proposal) }] }
      })
    },
  }
}
