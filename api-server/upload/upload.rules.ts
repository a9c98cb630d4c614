import type { picturePurposes } from '#contract/calls/common.calls.ts'

export type Purpose = (typeof picturePurposes)[number]

/**
 * Limits of one account: uploads per day (UTC), counted before a picture is checked, and stored pictures. Pictures that a record has
 * claimed as its proof are stored as long as the record, so they are counted separately: old records do not block new deposits.
 */
export const uploadQuota = { picturesPerDay: 60, bytesPerDay: 104_857_600, picturesKept: 300, proofsKept: 3_000 } as const
export type UploadQuota = { [K in keyof typeof uploadQuota]: number }

/** An unclaimed picture is removed after this time, unless it is public. */
export const draftKeptMs = 86_400_000

const dayMs = 86_400_000
/** Number of days since 1970-01-01 UTC. */
export const dayOf = (now: number) => Math.floor(now / dayMs)

/** Random bytes in a name. */
export const nameBytes = 20
const namePattern = /^[0-9a-f]{40}$/
export const isName = (text: string) => namePattern.test(text)

const addressPrefix = '/api/upload/'
/** Path of a stored picture on the origin of the API. */
export const addressOf = (name: string) => addressPrefix + name

/** The name in an address made by `addressOf`; undefined for any other text. */
export function nameIn(address: string): string | undefined {
  const name = address.startsWith(addressPrefix) ? address.slice(addressPrefix.length) : ''
  return isName(name) ? name : undefined
}

/** Whether everybody may see a picture of this purpose. */
export const isPublic = (purpose: Purpose) => purpose === 'avatar'

/** Whether reviewers of the back office may see a picture of this purpose. */
export const isReviewed = (purpose: Purpose) => purpose === 'identity' || purpose === 'proof'
/** Whether a picture may be claimed for another purpose. A private picture never becomes public. */
export const mayBecome = (from: Purpose, to: Purpose) => from === to || (from === 'draft' && to !== 'draft')
