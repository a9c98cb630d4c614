import type { RequestHandler } from 'express'
import { type Publishing, testActor } from '#config-server/publishing/publishing.ts'
import type { Refuse } from '#config-server/refuse.ts'
import type { Release } from '#config-server/release.rules.ts'

const keyPattern = /^[a-z-]{1,40}\/[\w.-]{1,80}$/i

/** Returns the release that clients get. */
type Current = () => Release | undefined

/** POST /test/release {"documents": {"screen/x": document or null}}: a release that nothing has checked. */
export function forceRelease(publishing: Publishing, current: Current, refuse: Refuse): RequestHandler {
  return async (req, res) => {
    const documents: unknown = (req.body as { documents?: unknown } | undefined)?.documents
    if (documents === null || typeof documents !== 'object' || Array.isArray(documents)) return refuse(res, 'parameter_error')
    if (!Object.keys(documents).every((key) => keyPattern.test(key))) return refuse(res, 'parameter_error')
    const { number } = await publishing.publishUnchecked(testActor, documents as Record<string, unknown>)
    res.json({ release: number, hash: current()?.hash })
  }
}

/** DELETE /test/release: back to what was checked. */
export function restoreRelease(publishing: Publishing, current: Current, refuse: Refuse): RequestHandler {
  return async (_req, res) => {
    if (!current()) return refuse(res, 'busy')
    const { number } = await publishing.restore(testActor)
    res.json({ release: number, hash: current()?.hash })
  }
}
