import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RequestHandler } from 'express'
import { send } from '#config-server/answers.ts'
import type { Refuse } from '#config-server/refuse.ts'
import type { RevisionStore } from '#config-server/revision.store.ts'

const lengthsMax = { caps: 64, segment: 200, locale: 35 } as const

/** `*`, one tag, or a list of tags; a weak mark makes no difference when reading. */
function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header === etag) return true
  return header.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)
}

/** GET /config/manifest?caps=&segment=&locale= */
export function readManifest(store: RevisionStore, refuse: Refuse): RequestHandler {
  return (req, res) => {
    const query = req.query
    for (const [name, max] of Object.entries(lengthsMax)) {
      const value = query[name]
      if (value !== undefined && (typeof value !== 'string' || value.length > max)) return refuse(res, 'parameter_error')
    }
    const manifest = store.manifest(query.locale as string | undefined, query.caps as string | undefined)
    if (!manifest) return refuse(res, 'busy', [['Retry-After', '1']])
    if (matches(req.headers['if-none-match'], manifest.etag)) return void res.writeHead(304, manifest.notModified).end()
    send(req, res, manifest.answers)
  }
}

const filePattern = /^([0-9a-f]{64})\.json$/

/** GET /config/documents/<sha256>.json */
export function readDocument(store: RevisionStore, refuse: Refuse): RequestHandler<{ file: string }> {
  return (req, res) => {
    const sha = filePattern.exec(req.params.file)?.[1]
    const answers = sha === undefined ? undefined : store.document(sha)
    if (!answers) return refuse(res, 'not_found')
    send(req, res, answers)
  }
}

const documentUrl = /^\/config\/documents\/([0-9a-f]{64})\.json$/

/** The request that is made most, answered ahead of every router. @returns false when somebody else must answer */
export function answerDocument(store: RevisionStore, req: IncomingMessage, res: ServerResponse): boolean {
  const sha = req.method === 'GET' ? documentUrl.exec(req.url ?? '')?.[1] : undefined
  const answers = sha === undefined ? undefined : store.document(sha)
  if (!answers) return false
  send(req, res, answers)
  return true
}
