import * as z from 'zod'
import type { Decision, OfficePorts } from '#api-server/kit/decision.ts'
import { createTermsStore, defineTerms } from '#api-server/kit/terms.ts'
import type { backOfficeRules } from '#contract/calls/office.rows.ts'
import type { Tx } from '#server-kit/db/db.ts'
import type { Operator } from '#server-kit/http/http.ts'

/** From this worth in USD on, two different operators must approve. */
interface RuleOfTwo {
  four_eyes_usd: string
}
const key = 'four_eyes_usd'

export const ruleTerms = defineTerms<RuleOfTwo>({
  product: 'settings',
  actions: 'settings',
  subject: () => 'settings',
  schema: z.object({ four_eyes_usd: z.string() }),
  fields: { four_eyes_usd: { kind: 'decimal', unit: 'USD' } },
})

/** The rule of two, as it counts. */
export async function fourEyesUsd(database: OfficePorts['database'], tx?: Tx): Promise<string> {
  return ruleTerms.read((await createTermsStore(database).last('settings', key, tx))!.terms).four_eyes_usd
}

export function createRuleOfTwo(office: OfficePorts) {
  const store = createTermsStore(office.database)
  const terms = ruleTerms.open(office)
  const last = async (tx?: Tx) => (await store.last('settings', key, tx))!
  return {
    terms,
    async shown(operator: Operator): Promise<z.input<typeof backOfficeRules>> {
      const { version, terms: now, changed_by, at } = await last()
      const { proposal } = await terms.one(key, operator)
      return { ...ruleTerms.read(now), version, changed_by, changed: changed_by ? at : null, proposal }
    },
    propose: (tx: Tx, operator: Operator, usd: string) => terms.propose(tx, operator, { key, typed: { four_eyes_usd: usd } }),
    /** A stricter rule counts at once; a proposal that waits is overtaken. */
    async tighten(decision: Decision, usd: string): Promise<void> {
      await terms.proposals.overtake(decision, key)
      const { version } = await last(decision.tx)
      const row = {
        product: 'settings',
        key,
        version: version + 1,
        terms: { four_eyes_usd: usd },
        changed_by: decision.by,
        at: decision.at,
      }
      await store.add(decision.tx, row)
    },
  }
}
