import { passwordMin, payPasswordCharactersMin } from '#contract/credentials.ts'
import { ApiProblem, type ProblemCode } from '#contract/problem.ts'
import { isGuessable, isTooLong, passwordForm } from '#server-kit/security/password.rules.ts'

/** Parts of an address that its owner must not take for a password. */
export const namesIn = (address: string): string[] => {
  const [local = '', domain = ''] = address.replace(/^\+\d+ /, '').split('@')
  return [address, local, domain.split('.')[0] ?? ''].filter(Boolean)
}

/** The first problem of a new login password. @param least PASSWORD_MIN */
export function passwordProblem(
  password: string,
  addresses: readonly string[],
  least: number = passwordMin.usual,
): 'password_too_long' | 'password_too_short' | 'password_common' | undefined {
  if (isTooLong(password)) return 'password_too_long'
  if ([...passwordForm(password)].length < least) return 'password_too_short'
  return isGuessable(password, addresses.flatMap(namesIn)) ? 'password_common' : undefined
}

/** The same for a pay password, which may be shorter: it never opens an account by itself. */
export function payPasswordProblem(password: string, addresses: readonly string[]): ProblemCode | undefined {
  if (isTooLong(password)) return 'password_too_long'
  if ([...passwordForm(password)].length < payPasswordCharactersMin) return 'pay_password_too_short'
  return isGuessable(password, addresses.flatMap(namesIn)) ? 'password_common' : undefined
}

/** @throws ApiProblem password_too_long, password_too_short with the least length, password_common */
export function checkPassword(password: string, addresses: readonly string[], least: number, field: string): void {
  const weak = passwordProblem(password, addresses, least)
  if (!weak) return
  throw new ApiProblem(weak, { field, ...(weak === 'password_too_short' && { values: { least: String(least) } }) })
}
