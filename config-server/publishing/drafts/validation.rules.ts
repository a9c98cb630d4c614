import type { Actor } from '#config-server/publishing/publishing.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Role, Rollout, Segment } from '#language/publish/publishing.ts'
import { publishingLimits } from '#language/publish/publishing-limits.ts'
import { bracketDepth, inputLimits, isTooDeepJson } from '#server-kit/http/depth.ts'

/** Checks of the callers' input. All throw ApiProblem. */

/** @throws not_allowed for an operator who has none of the roles */
export function mustBe(actor: Actor, ...roles: Role[]): void {
  if (actor.kind === 'operator' && !roles.some((role) => actor.roles.includes(role)))
    throw new ApiProblem('not_allowed', { data: { roles } })
}

function bounded(text: string, member: string, lengthMax: number): string {
  if (typeof text !== 'string' || text.length > lengthMax || text.includes('\0'))
    throw new ApiProblem('too_large', { data: { member, lengthMax } })
  return text.trim()
}
export const noteOf = (text: string | undefined, member = 'note') => bounded(text ?? '', member, publishingLimits.noteLengthMax)
export function nameOf(text: string): string {
  const name = bounded(text, 'name', publishingLimits.nameLengthMax)
  if (!name) throw new ApiProblem('reason_missing', { data: { member: 'name' } })
  return name
}
export function reasonOf(text: string | undefined): string {
  const reason = bounded(text ?? '', 'reason', publishingLimits.reasonLengthMax)
  if (!reason) throw new ApiProblem('reason_missing')
  return reason
}

const documentPath = /^schemas\/(?!meta\/)(?:[a-z0-9][a-z0-9_-]*\/)*[a-z0-9][a-z0-9_.-]*\.json$/i
const wordsPath = /^locales\/[a-z]{2,3}(?:-[a-z0-9]{2,8})*\/[a-z0-9][a-z0-9_-]*\.json$/i

/** Whether operators may write the file: a document below schemas/ or a text area of a language. */
export const isSourcePath = (path: string) =>
  path.length <= publishingLimits.pathLengthMax && !path.includes('..') && (documentPath.test(path) || wordsPath.test(path))

/** @returns the text, without the byte order mark that some editors put in front: JSON allows none. */
export function sourceOf(path: string, written: string): string {
  const text = written.replace(/^\uFEFF/, '')
  const bytes = Buffer.byteLength(text)
  if (bytes > publishingLimits.fileBytesMax)
    throw new ApiProblem('too_large', { data: { member: path, bytes, bytesMax: publishingLimits.fileBytesMax } })
  if (isTooDeepJson(text) || bracketDepth(text, inputLimits.bracketsMax) > inputLimits.bracketsMax)
    throw new ApiProblem('too_large', { data: { member: path, depthMax: inputLimits.depthMax } })
  if (text.includes('\0')) throw new ApiProblem('checks_failed', { data: { message: `${path} contains the character U+0000` } })
  return text
}

const isNames = (value: unknown): value is string[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.length <= 200 &&
  value.every((one) => typeof one === 'string' && /^[\w-]{1,64}$/.test(one))

/** A rollout with nothing in it but what is known. @throws state_wrong when any of it is not as agreed */
export function rolloutOf(request: { percent?: unknown; segment?: unknown }): Rollout {
  const { percent, segment = {} } = request
  const wrong = (member: string) => new ApiProblem('state_wrong', { data: { member } })
  if (typeof percent !== 'number' || !(percent >= 0 && percent <= 100)) throw wrong('percent')
  if (typeof segment !== 'object' || segment === null || Array.isArray(segment)) throw wrong('segment')
  const { languages, loggedIn, kyc, caps, named } = segment as Record<string, unknown>
  const read: Segment = {}
  if (languages !== undefined) {
    if (!isNames(languages)) throw wrong('segment.languages')
    read.languages = languages
  }
  if (loggedIn !== undefined) {
    if (typeof loggedIn !== 'boolean') throw wrong('segment.loggedIn')
    read.loggedIn = loggedIn
  }
  if (kyc !== undefined) {
    if (kyc !== 0 && kyc !== 1 && kyc !== 2) throw wrong('segment.kyc')
    read.kyc = kyc
  }
  if (caps !== undefined) {
    if (!isNames(caps)) throw wrong('segment.caps')
    read.caps = caps
  }
  if (named !== undefined) {
    if (!isNames(named)) throw wrong('segment.named')
    read.named = named
  }
  return { percent, segment: read }
}
