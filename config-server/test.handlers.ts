import type { RequestHandler } from 'express'
import type { Refuse } from '#config-server/refuse.ts'
import type { Releases } from '#config-server/releases.ts'
import type { Json } from '#language/documents.ts'

const keyPattern = /^[a-z-]{1,40}\/[\w.-]{1,80}$/i

/** POST /test/release {"documents": {"screen/x": document or null}}: a release that nothing has checked. */
export function forceRelease(releases: Releases, refuse: Refuse): RequestHandler {
  return async (req, res) => {
    const documents: unknown = (req.body as { documents?: unknown } | undefined)?.documents
    if (documents === null || typeof documents !== 'object' || Array.isArray(documents)) return refuse(res, 'parameter_error')
    if (!Object.keys(documents).every((key) => keyPattern.test(key))) return refuse(res, 'parameter_error')
    const { release, hash } = await releases.force(documents as Record<string, Json>)
    res.json({ release, hash })
  }
}

/** DELETE /test/release: back to the files. */
export function restoreRelease(releases: Releases, refuse: Refuse): RequestHandler {
  return async (_req, res) => {
    const release = await releases.restore()
    if (!release) return refuse(res, 'busy')
    res.json({ release: release.release, hash: release.hash })
  }
}
