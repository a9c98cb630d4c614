import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import express from 'express'
import { pictureProcessLimits } from '#api-server/upload/picture.processes.ts'
import { uploadMigrations } from '#api-server/upload/upload.migration.ts'
import { createUploads, type Uploads, type UploadsOptions } from '#api-server/upload/uploads.ts'
import { uploadCalls } from '#contract/calls/common.calls.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Database } from '#server-kit/db/db.ts'
import { formBody } from '#server-kit/http/form-body.ts'
import { mount } from '#server-kit/http/http.ts'
import { createHttpServer } from '#server-kit/http/listen.ts'
import { lastHandlers } from '#server-kit/http/refusals.ts'
import { createSecurity } from '#server-kit/http/security-headers.ts'
import { createSettableClock, type SettableClock } from '#server-kit/ops/clock.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { chooseLanguage, loadTexts } from '#server-kit/ops/texts.ts'
import { createSecrets } from '#server-kit/security/secrets.ts'
import type { Engine } from '#tests/support/databases/engines.ts'
import { type Answer, ask } from '#tests/support/servers/http.ts'

/** One part of a multipart body; `name` may be absent. */
export interface Part {
  name?: string
  filename?: string
  type?: string
  content: Buffer | string
}
export const boundary = 'x-boundary-7f3a'
export const png = (content: Buffer, filename = 'x.png'): Part => ({ name: 'file', filename, type: 'image/png', content })

export function multipart(parts: readonly Part[], { closed = true } = {}): Buffer {
  const chunks = parts.flatMap(({ name, filename, type, content }) => {
    const disposition = ['form-data', name !== undefined && `name="${name}"`, filename !== undefined && `filename="${filename}"`]
    const head = `--${boundary}\r\nContent-Disposition: ${disposition.filter(Boolean).join('; ')}\r\n${type ? `Content-Type: ${type}\r\n` : ''}\r\n`
    return [Buffer.from(head), Buffer.from(content as string), Buffer.from('\r\n')]
  })
  return Buffer.concat([...chunks, Buffer.from(closed ? `--${boundary}--\r\n` : '')])
}

/** Sends bytes as a body. @throws Error when the connection is closed without an answer */
export function sendBytes(origin: string, path: string, body: Buffer, headers: Record<string, string>): Promise<Answer> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve, reject) => {
    const req = request({ hostname, port, path, method: 'POST', headers, agent: false }, (res) => {
      const parts: Buffer[] = []
      res.on('data', (part: Buffer) => parts.push(part))
      res.on('error', reject)
      res.on('end', () => {
        const whole = Buffer.concat(parts)
        const text = whole.toString()
        resolve({ status: res.statusCode ?? 0, headers: res.headers, body: whole, text, json: <T>() => JSON.parse(text) as T })
      })
    })
    req.on('error', reject)
    req.end(body)
  })
}

export interface UploadStage {
  uploads: Uploads
  database: Database
  clock: SettableClock
  origin: string
  server: Server
  /** All files in the folder of pictures. */
  files(): string[]
  /** Sends parts with this token; `ann` is account 1, `bob` is 2, anything else is invalid. */
  send(parts: readonly Part[] | Buffer, token?: string | null, headers?: Record<string, string>): Promise<Answer>
  get(path: string, token?: string, headers?: Record<string, string>, method?: string): Promise<Answer>
  end(): Promise<void>
}

const users: Record<string, number> = { ann: 1, bob: 2 }
const userOf = async (token: string) => (Object.hasOwn(users, token) ? users[token] : undefined)

/** Starting the process from its sources is slow on a busy machine; its time limit is tested separately. */
const patient = { ...pictureProcessLimits, jobMsMax: 50_000, waitMsMax: 55_000 }

/** Uploads alone, with the product's mounting, refusals and headers. */
export async function openUploadStage(engine: Engine, options: Partial<UploadsOptions> = {}): Promise<UploadStage> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tessera-uploads-'))
  const database = await engine.open(uploadMigrations)
  const log = createLog('silent')
  const clock = createSettableClock()
  const texts = loadTexts('locales', 'problem')
  const uploads = createUploads({
    database,
    dataDir,
    clock,
    log,
    secrets: createSecrets('a key that is long enough for tests'),
    uidOf: (caller) => caller.user!.uid,
    userOf,
    processes: patient,
    ...options,
  })
  const security = createSecurity({ trustProxy: [] })
  const app = express().disable('x-powered-by').disable('etag')
  app.use((req, res, next) => {
    security.apply(req, res, security.data)
    res.setHeader('Cache-Control', 'no-store')
    next()
  })
  app.get('/login-like', (_req, res) => void res.json({}))
  mount(app, uploadCalls, uploads.handlers, {
    prefix: '/api',
    chooseLanguage: (asked) => chooseLanguage(asked, texts.languages),
    async requireUser({ token }) {
      const uid = await userOf(token ?? '')
      if (uid === undefined) throw new ApiProblem('unauthorized')
      return { uid, session: 's' }
    },
    receive: uploads.receive,
  })
  app.use(formBody())
  app.get('/api/upload/:name', uploads.page)
  app.use(...lastHandlers(texts, log))
  const server = createHttpServer(app)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const bearer = (token: string | null | undefined) => (token ? { authorization: `Bearer ${token}` } : undefined)
  return {
    uploads,
    database,
    clock,
    origin,
    server,
    files: () =>
      readdirSync(dataDir, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => entry.name),
    send(parts, token = 'ann', headers) {
      const body = Buffer.isBuffer(parts) ? parts : multipart(parts)
      const type = { 'content-type': `multipart/form-data; boundary=${boundary}`, 'content-length': String(body.length) }
      return sendBytes(origin, '/api/common/upload', body, { ...type, ...bearer(token), ...headers })
    },
    get: (path, token, headers, method) => ask(origin, path, { method, headers: { ...bearer(token), ...headers } }),
    async end() {
      uploads.stop()
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
