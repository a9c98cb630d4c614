import { existsSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import type { Security } from '#server-kit/http/security-headers.ts'
import { createStatic } from '#server-kit/http/static.ts'

const prefix = '/console'
/** The only pages that may stand in a frame, and only in one of our own. */
const framed = new Set(['/preview.html', '/back-office.html'])

/** The built console below /console/. @param dir undefined, or without a build: everything is not found */
export function createPages(dir: string | undefined, security: Security): RequestListener {
  const built = dir !== undefined && existsSync(join(dir, 'index.html'))
  const files = built ? createStatic(dir, security, { page: (host, url) => security.console(host, framed.has(url)) }) : undefined
  return (req, res) => {
    const url = req.url ?? ''
    if (url === prefix || url.startsWith(`${prefix}?`)) {
      security.apply(req, res, security.data)
      return void res.writeHead(308, { Location: `${prefix}/`, 'Cache-Control': 'no-store' }).end()
    }
    if (files && url.startsWith(`${prefix}/`)) {
      req.url = url.slice(prefix.length)
      return files(req, res)
    }
    security.apply(req, res, security.data)
    const text = 'The console is not built; npm run build does that.\n'
    res.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' }).end(text)
  }
}
