import { patterns } from '#contract/patterns.ts'
import { canonicalMobile, isWholeNumber, phoneDigits } from '#contract/rules/mobile.rules.ts'
import { typedLine } from '#contract/rules/typed.rules.ts'

/**
 * An e-mail address as it is stored: lower case, without blanks around it. `a+b@c.d` is another address than `a@c.d`. Only ASCII: two
 * addresses that look the same must not be two accounts. Undefined for anything else.
 */
export function canonicalEmail(text: string): string | undefined {
  const email = typedLine(text).toLowerCase()
  return patterns.email.test(email) ? email : undefined
}

export interface Login {
  kind: 'email' | 'mobile'
  /** As stored. */
  address: string
}

/** How a login name looks while it is typed: `national` needs an area beside it, `whole` names its country. */
export type LoginKind = 'email' | 'national' | 'whole' | ''
export function loginKind(text: string): LoginKind {
  if (typedLine(text).includes('@')) return 'email'
  return isWholeNumber(text) ? 'whole' : phoneDigits(text) ? 'national' : ''
}

/** Why a typed name means no account. */
export const loginProblem = (text: string): 'email_wrong' | 'mobile_wrong' => (loginKind(text) === 'email' ? 'email_wrong' : 'mobile_wrong')

/** The account that a typed name means: an address, or a number in the area of `code`, or a whole number such as +86 138…. */
export function loginOf(text: string, code: string | undefined): Login | undefined {
  const kind = loginKind(text) === 'email' ? 'email' : 'mobile'
  const address = kind === 'email' ? canonicalEmail(text) : canonicalMobile(code ?? '', text)
  return address === undefined ? undefined : { kind, address }
}
