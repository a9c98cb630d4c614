import type { Request, Response } from 'express'
import multer, { MulterError, type StorageEngine } from 'multer'
import { kindOf, pictureLimits, signBytes } from '#contract/picture.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { UploadedFile } from '#server-kit/http/http.ts'

/** Limits of a multipart body, checked while it is read. The reader's own defaults are unlimited. */
export const multipartLimits = {
  fileSize: pictureLimits.bytesMax,
  files: 1,
  fields: 5,
  parts: 6,
  fieldNameSize: 60,
  fieldSize: 1_000,
  headerPairs: 20,
  fieldNestingDepth: 0,
  fieldArrayIndexLimit: 0,
} as const

/** Files are held in memory until they are re-encoded, so the number of concurrent uploads is bounded: 24 × 5 MB. */
const receiveLimits = {
  together: 24,
  perUser: 3,
  receiveMsMax: 40_000,
  /** A file above the limit is read and discarded, so that the client receives the refusal. Beyond this size the connection is closed. */
  readBytesMax: 33_554_432,
} as const

/** Holds a file in memory; discards a file that does not start like a picture. */
const storage: StorageEngine = {
  _handleFile(_req, file, done) {
    let parts: Buffer[] = []
    let size = 0
    let looked = false
    let settled = false
    const settle = (error: ApiProblem | undefined, info?: { buffer: Buffer; size: number }) => {
      if (settled) return
      settled = true
      parts = []
      done(error, info)
    }
    const look = () => {
      looked = true
      if (!kindOf(Buffer.concat(parts))) settle(new ApiProblem('file_type_refused', { field: 'file' }))
    }
    file.stream.on('data', (part: Buffer) => {
      if (settled) return
      parts.push(part)
      size += part.length
      if (!looked && size >= signBytes) look()
    })
    file.stream.on('end', () => {
      if (!looked) look()
      settle(undefined, { buffer: Buffer.concat(parts), size })
    })
    file.stream.on('error', (cause: unknown) => settle(new ApiProblem('body_unreadable', { cause })))
  },
  _removeFile: (_req, _file, done) => done(null),
}

/** The problem for a body that could not be read. */
function problemOf(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error
  if (!(error instanceof MulterError)) return new ApiProblem('body_unreadable', { cause: error })
  if (error.code === 'LIMIT_FILE_SIZE') return new ApiProblem('file_too_large', { field: 'file' })
  return new ApiProblem('parameter_error', { field: error.field?.slice(0, multipartLimits.fieldNameSize), cause: error })
}

export type Receiver = (req: Request, res: Response, uid: number) => Promise<UploadedFile>

/** Reads a multipart body with one file in the field `file`; its text fields become `req.body`. Nothing is written to the disk. */
export function createReceiver(limits: { [K in keyof typeof receiveLimits]: number } = receiveLimits): Receiver {
  const reader = multer({ storage, limits: { ...multipartLimits } }).single('file')
  const ofUser = new Map<number, number>()
  let together = 0

  function takePlace(uid: number, res: Response): void {
    const own = ofUser.get(uid) ?? 0
    if (own >= limits.perUser) throw new ApiProblem('too_many_requests')
    if (together >= limits.together) throw new ApiProblem('busy')
    together++
    ofUser.set(uid, own + 1)
    res.once('close', () => {
      together--
      const left = ofUser.get(uid)! - 1
      if (left > 0) ofUser.set(uid, left)
      else ofUser.delete(uid)
    })
  }

  function read(req: Request, res: Response): Promise<void> {
    return new Promise((resolve, reject) => {
      const refuse = (problem: ApiProblem) => {
        if (!res.headersSent) res.setHeader('Connection', 'close')
        reject(problem)
      }
      const late = setTimeout(() => refuse(new ApiProblem('body_unreadable')), limits.receiveMsMax)
      reader(req, res, (error?: unknown) => {
        clearTimeout(late)
        if (error) reject(problemOf(error))
        else resolve()
      })
      let bytes = 0
      req.on('data', (part: Buffer) => {
        bytes += part.length
        if (bytes > limits.readBytesMax) req.destroy()
      })
    })
  }

  return async (req, res, uid) => {
    if (!req.is('multipart/form-data')) throw new ApiProblem('body_unreadable', { reason: 'Content-Type must be multipart/form-data' })
    if (Number(req.headers['content-length'] ?? 0) > limits.readBytesMax) {
      res.setHeader('Connection', 'close')
      throw new ApiProblem('file_too_large', { field: 'file' })
    }
    takePlace(uid, res)
    const left = new AbortController()
    res.once('close', () => {
      if (!res.writableFinished) left.abort()
    })
    await read(req, res)
    if (!req.file) throw new ApiProblem('parameter_missing', { field: 'file' })
    const { buffer, originalname, mimetype } = req.file
    return { bytes: buffer, name: originalname, type: mimetype, gone: left.signal }
  }
}
