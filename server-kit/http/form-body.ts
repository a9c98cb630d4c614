import express, { type NextFunction, type Request, type RequestHandler } from 'express'
import { ApiProblem } from '#contract/problem.ts'

/** Bounds on a form-encoded body, before anything of it is looked at. */
export const bodyLimits = { bytesMax: 102_400, fieldsMax: 100 } as const

const methodsWithBody = new Set(['POST', 'PUT', 'PATCH'])

/** A body of another kind is refused rather than taken for an empty one. */
const onlyForms: RequestHandler = (req, _res, next) => {
  const hasBody = req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0
  if (hasBody && methodsWithBody.has(req.method) && !isPlainForm(req) && !req.is('application/x-www-form-urlencoded'))
    throw new ApiProblem('body_unreadable', { reason: 'Content-Type must be application/x-www-form-urlencoded' })
  next()
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Bytes or escapes that are no UTF-8 would reach us as other text than was meant. @throws ApiProblem('body_unreadable') */
function textOf(bytes: Buffer): string {
  try {
    const text = utf8.decode(bytes)
    decodeURIComponent(text)
    return text
  } catch (cause) {
    throw new ApiProblem('body_unreadable', { reason: 'the body has bytes or escapes that are no UTF-8', cause })
  }
}

const plainForm = /^application\/x-www-form-urlencoded(?:; ?charset=utf-8)?$/i

/** Accepts forms with Content-Length, in UTF-8, uncompressed. */
function isPlainForm({ headers, method }: Request): boolean {
  const length = Number(headers['content-length'] ?? 0)
  if (!(length > 0 && length <= bodyLimits.bytesMax) || !methodsWithBody.has(method)) return false
  return (
    headers['content-encoding'] === undefined && headers['transfer-encoding'] === undefined && plainForm.test(headers['content-type'] ?? '')
  )
}

const decoded = (text: string) => decodeURIComponent(text.replaceAll('+', ' '))

/**
 * Reads the same text as the general reader does: a name that comes twice has a list, which no call takes, and one that is empty, or would
 * reach a prototype, is dropped.
 * @throws ApiProblem('body_unreadable'), ApiProblem('parameter_error') for too many
 */
function plainFields(bytes: Buffer): Record<string, string | string[]> {
  const parts = textOf(bytes).split('&')
  if (parts.length > bodyLimits.fieldsMax) throw new ApiProblem('parameter_error')
  const fields: Record<string, string | string[]> = Object.create(null)
  for (const part of parts) {
    const at = part.indexOf('=')
    const name = decoded(at < 0 ? part : part.slice(0, at))
    if (name === '' || name === '__proto__') continue
    const value = at < 0 ? '' : decoded(part.slice(at + 1))
    const before = fields[name]
    fields[name] = before === undefined ? value : [before, value].flat()
  }
  return fields
}

/** Nearly every body is such a form, and the general reader costs as much as a statement of the database. */
function readPlainForm(req: Request, next: NextFunction): void {
  const parts: Buffer[] = []
  req.on('data', (part: Buffer) => void parts.push(part))
  req.once('error', (cause) => next(new ApiProblem('body_unreadable', { cause })))
  req.once('end', () => {
    try {
      req.body = plainFields(parts.length === 1 ? parts[0]! : Buffer.concat(parts))
    } catch (error) {
      return next(error)
    }
    next()
  })
}

/** Readers of form-encoded bodies. Names like `a[b]` stay names: nothing nests and nothing reaches a prototype. */
export function formBody(): RequestHandler[] {
  const verify = (_req: unknown, _res: unknown, bytes: Buffer) => void textOf(bytes)
  const { bytesMax, fieldsMax } = bodyLimits
  const general = express.urlencoded({ extended: false, limit: bytesMax, parameterLimit: fieldsMax, verify })
  return [onlyForms, (req, res, next) => (isPlainForm(req) ? readPlainForm(req, next) : general(req, res, next))]
}
