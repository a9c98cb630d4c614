import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import express from 'express'

/** One answer of the product, as sent over the wire. */
export interface Recorded {
  path: string
  headers: Record<string, string>
  /** base64 */
  body: string
  etag: string | undefined
}

/** The baseline: Express sends recorded bytes with recorded headers and does nothing else. Of a form that is posted it reads the fields first. */
const app = express().disable('x-powered-by').disable('etag')
const recorded = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as Recorded[]
for (const { path, headers, body, etag } of recorded) {
  const bytes = Buffer.from(body, 'base64')
  const { 'content-length': _length, 'content-encoding': _encoding, 'content-type': _type, ...unchanged } = headers
  app.get(path, (req, res) => {
    if (etag !== undefined && req.headers['if-none-match'] === etag) res.writeHead(304, unchanged).end()
    else res.writeHead(200, headers).end(bytes)
  })
}
const forms = express.urlencoded({ extended: false })
for (const { path, headers, body } of recorded)
  app.post(path, forms, (_req, res) => void res.writeHead(200, headers).end(Buffer.from(body, 'base64')))
const server = app.listen(0, '127.0.0.1', () => console.log(`ready http://127.0.0.1:${(server.address() as AddressInfo).port}`))
