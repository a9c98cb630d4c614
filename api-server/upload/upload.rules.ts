import type { picturePurposes } from '#contract/calls/common.calls.ts'

export type Purpose = (typeof picturePurposes)[number]

/**
 * What one account may send in a day (UTC), counted before a picture is looked at, and keep altogether. What a record has taken as its proof
 * stays with the record for good, so it is counted apart: who deposits for years is not stopped by what was decided long ago.
 */
export const uploadQuota = { picturesPerDay: 60, bytesPerDay: 104_857_600, picturesKept: 300, proofsKept: 3_000 } as const
export type UploadQuota = { [K in keyof typeof uploadQuota]: number }

/** What no call has taken is removed after this, unless everybody may see it. */
export const draftKeptMs = 86_400_000

const dayMs = 86_400_000
/** Number of the day since 1970 UTC. */
export const dayOf = (now: number) => Math.floor(now / dayMs)

/** Bytes of chance in a name. */
export const nameBytes = 20
const namePattern = /^[0-9a-f]{40}$/
export const isName = (text: string) => namePattern.test(text)

const addressPrefix = '/api/upload/'
/** Path of a kept picture on the origin of the API. */
export const addressOf = (name: string) => addressPrefix + name

/** The name in an address that `addressOf` made; undefined for any other text. */
export function nameIn(address: string): string | undefined {
  const name = address.startsWith(addressPrefix) ? address.slice(addressPrefix.length) : ''
  return isName(name) ? name : undefined
}

/** Whether everybody who knows the address may see it. */
export const isPublic = (purpose: Purpose) => purpose === 'avatar'

/** Whether reviewers of the back office may see it. */
export const isReviewed = (purpose: Purpose) => purpose === 'identity' || purpose === 'proof'
/** Whether a picture may change what it is for. What was sent for the platform's eyes only never becomes public. */
export const mayBecome = (from: Purpose, to: Purpose) => from === to || (from === 'draft' && to !== 'draft')
