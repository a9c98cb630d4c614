import { type CountryCode, Metadata } from 'libphonenumber-js/core'
import metadata from 'libphonenumber-js/metadata.max.json'
import { areas } from '#api-server/account/address/areas.ts'
import type { MobilePlan } from '#contract/rules/mobile.rules.ts'

/** The parts of a numbering plan that the package has and does not declare. */
interface Plan {
  callingCode(): string
  nationalPrefixForParsing(): string | undefined
  nationalPrefixTransformRule(): string | undefined
  nationalNumberPattern(): string
  possibleLengths(): number[]
  type(name: 'MOBILE'): { possibleLengths(): number[] } | undefined
}

/**
 * How each country of `common.areas` writes its mobile numbers, by calling code: countries with one code have the plan of the first of them
 * and the lengths of all. The data is Google's, from libphonenumber-js; only scripts and tests read that package, so that no customer
 * loads it. The text of contract/rules/mobile-plans.json, a row a line.
 */
export function mobilePlans(): string {
  const plans = new Map<string, MobilePlan>()
  for (const { iso, code } of areas) {
    const found = new Metadata(metadata)
    found.selectNumberingPlan(iso as CountryCode)
    const plan = found.numberingPlan as unknown as Plan
    const calling = plan.callingCode()
    const lengths = plan.type('MOBILE')?.possibleLengths() ?? plan.possibleLengths()
    const before = plans.get(code)
    const isMain = !before || metadata.country_calling_codes[calling as '1']?.[0] === iso
    const all = [...new Set([...(before?.[4] ?? []), ...lengths])].sort((one, other) => one - other)
    const [prefix, replacement] = [plan.nationalPrefixForParsing() || '', plan.nationalPrefixTransformRule() || '']
    plans.set(
      code,
      isMain ? [calling, prefix, replacement, plan.nationalNumberPattern(), all] : ([...before.slice(0, 4), all] as unknown as MobilePlan),
    )
  }
  const rows = [...plans].sort(([one], [other]) => Number(one) - Number(other))
  return `{\n${rows.map((row) => row.map((part) => JSON.stringify(part)).join(': ')).join(',\n')}\n}\n`
}
