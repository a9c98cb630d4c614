import { generateSecret, generateURI, verify } from 'otplib'
import { folded } from '#contract/text.ts'

const totpLimits = {
  stepSeconds: 30,
  /** Clocks of phones may be off by one step. */
  toleranceSeconds: 30,
} as const

/** 160 random bits in base32. */
export const newTotpSecret = (): string => generateSecret()

/** otpauth://… for an authenticator app. @param label what the app shows beside the issuer */
export const totpUri = (issuer: string, label: string, secret: string): string => generateURI({ issuer, label, secret })

/**
 * The step of a right code; a step that was taken before, or an older one, is not right.
 * @param secret in clear; asked for when six digits were typed
 * @param typed blanks, hyphens and width do not count, digits of any script do
 * @param after last step that was taken, 0 for none
 * @param now ms UTC
 */
export async function totpStep(secret: () => string, typed: string, after: number, now: number): Promise<number | undefined> {
  const token = folded(typed).replace(/[\s-]/g, '')
  if (!/^[0-9]{6}$/.test(token)) return undefined
  const { stepSeconds, toleranceSeconds } = totpLimits
  const epoch = Math.floor(now / 1_000)
  // The library throws for a last step that lies ahead, which a clock that was put back makes.
  if (after > Math.floor((epoch + toleranceSeconds) / stepSeconds)) return undefined
  const result = await verify({
    secret: secret(),
    token,
    epoch,
    period: stepSeconds,
    epochTolerance: toleranceSeconds,
    ...(after > 0 && { afterTimeStep: after }),
  })
  return result.valid && 'timeStep' in result ? result.timeStep : undefined
}
