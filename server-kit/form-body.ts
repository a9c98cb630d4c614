import express, { type RequestHandler } from 'express'
import { ApiProblem } from '#contract/problem.ts'

/** Bounds on a form-encoded body, before anything of it is looked at. */
export const bodyLimits = { bytesMax: 102_400, fieldsMax: 100 } as const

const methodsWithBody = new Set(['POST', 'PUT', 'PATCH'])

/** A body of another kind is refused rather than taken for an empty one. */
const onlyForms: RequestHandler = (req, _res, next) => {
  const hasBody = req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0
  if (hasBody && methodsWithBody.has(req.method) && !req.is('application/x-www-form-urlencoded')) throw new ApiProblem('body_unreadable')
  next()
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Bytes or escapes that are no UTF-8 would reach us as other text than was meant. @throws ApiProblem('body_unreadable') */
function checkText(bytes: Buffer): void {
  try {
    decodeURIComponent(utf8.decode(bytes))
  } catch (cause) {
    throw new ApiProblem('body_unreadable', { cause })
  }
}

/** Readers of form-encoded bodies. Names like `a[b]` stay names: nothing nests and nothing reaches a prototype. */
export function formBody(): RequestHandler[] {
  const verify = (_req: unknown, _res: unknown, bytes: Buffer) => checkText(bytes)
  return [onlyForms, express.urlencoded({ extended: false, limit: bodyLimits.bytesMax, parameterLimit: bodyLimits.fieldsMax, verify })]
}
