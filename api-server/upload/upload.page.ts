import { pipeline } from 'node:stream/promises'
import type { Request, RequestHandler, Response } from 'express'
import type { PictureFiles } from '#api-server/upload/upload.files.ts'
import { isName, isPublic } from '#api-server/upload/upload.rules.ts'
import type { UploadRow, UploadStore } from '#api-server/upload/upload.store.ts'
import { typeOf } from '#contract/picture.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Log } from '#server-kit/ops/log.ts'

interface PictureDeps {
  store: UploadStore
  files: PictureFiles
  log: Log
  /** Resolves a token to its account; undefined for an invalid token. */
  userOf: (token: string) => Promise<number | undefined>
}

/**
 * The bytes of a name never change. Shared caches may keep public pictures for one day, so that a removed picture disappears by the next
 * day.
 */
const publicCache = 'public, max-age=86400, immutable'
const endings = { jpeg: 'jpg', png: 'png', webp: 'webp' } as const

/**
 * GET /api/upload/<name>. Public pictures are served to everybody, others to their owner with a token in the Authorization header; all
 * other requests get "not found". The headers forbid sniffing and sandbox the content; a browser that opens the address directly saves the
 * file.
 */
export function createPicturePage({ store, files, log, userOf }: PictureDeps): RequestHandler {
  async function mayRead(req: Request, res: Response, row: UploadRow): Promise<boolean> {
    if (isPublic(row.purpose)) return true
    const token = req.get('authorization')?.replace(/^Bearer /i, '')
    const uid = token ? await userOf(token) : undefined
    // For the log of refused access.
    res.locals.subject = uid === undefined ? 'nobody' : `user ${uid}`
    return uid === row.uid
  }

  async function send(req: Request, res: Response, row: UploadRow): Promise<void> {
    const etag = `"${row.sha256.slice(0, 32)}"`
    res.setHeader('Cache-Control', isPublic(row.purpose) ? publicCache : 'no-store')
    res.setHeader('ETag', etag)
    if (req.get('if-none-match') === etag) return void res.status(304).end()
    const body = await files.read(row.name)
    if (!body) {
      log.error({ name: row.name }, 'upload: the file of a picture is missing; the request is answered with not found')
      res.removeHeader('ETag')
      throw new ApiProblem('not_found')
    }
    res.setHeader('Content-Type', typeOf[row.kind])
    res.setHeader('Content-Length', row.bytes)
    res.setHeader('Content-Disposition', `attachment; filename="picture.${endings[row.kind]}"`)
    if (req.method === 'HEAD') {
      body.destroy()
      return void res.end()
    }
    await pipeline(body, res).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') log.error({ err: error, name: row.name }, 'upload: sending a picture failed')
    })
  }

  return async (req, res) => {
    const { name } = req.params
    const row = typeof name === 'string' && isName(name) ? await store.find(name) : undefined
    if (!row || !(await mayRead(req, res, row))) throw new ApiProblem('not_found')
    await send(req, res, row)
  }
}
