import { createHash } from 'node:crypto'
import { type Dirent, existsSync, readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { extname, join, relative, sep } from 'node:path'
import type { HeaderPairs, Security } from '#server-kit/http/security-headers.ts'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
}
/** Only these are run by a browser, so only these carry the policy of a page. */
const runs = new Set(['.html', '.js'])
/** Names that stay while their content changes. */
const checkedEachTime = /^\/(?:$|sw\.js$|[^/]*\.(?:webmanifest|html)$)/

interface StoredFile {
  type: string
  cache: string
  etag: string
  page: boolean
  bodies: Partial<Record<'br' | 'gzip' | 'identity', Buffer>>
}

function storedFile(path: string, url: string): StoredFile {
  const body = readFileSync(path)
  const packed = (end: string) => (existsSync(path + end) ? readFileSync(path + end) : undefined)
  const extension = extname(path)
  return {
    type: types[extension] ?? 'application/octet-stream',
    cache: url.startsWith('/assets/')
      ? 'public, max-age=31536000, immutable'
      : checkedEachTime.test(url)
        ? 'no-cache'
        : 'public, max-age=3600',
    etag: `"${createHash('sha256').update(body).digest('hex').slice(0, 20)}"`,
    page: runs.has(extension),
    bodies: { identity: body, br: packed('.br'), gzip: packed('.gz') },
  }
}

/** Every file below `dir` by its address. Nothing outside this table can be asked for. */
function readFolder(dir: string): Map<string, StoredFile> {
  const table = new Map<string, StoredFile>()
  const entries: Dirent[] = readdirSync(dir, { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    if (!entry.isFile() || /\.(?:br|gz|map)$/.test(entry.name)) continue
    const path = join(entry.parentPath, entry.name)
    const name = `/${relative(dir, path).split(sep).join('/')}`
    const url = name === '/index.html' ? '/' : name
    table.set(url, storedFile(path, url))
  }
  return table
}

const accepts = (header: string, coding: string) => new RegExp(`(?:^|[,\\s])${coding}(?!\\s*;\\s*q=0(?:\\.0*)?(?:,|$))`, 'i').test(header)

interface StaticOptions {
  /** Headers of a page, or of a script, in place of those of the app. @param url below the folder: `/preview.html` */
  page?: (host: string | undefined, url: string) => HeaderPairs
}

/**
 * Serves the built app from memory: `/` is the page, the rest are its files; anything else is a plain 404.
 * Bodies that the build compressed (.br, .gz beside the file) are sent as they are.
 */
export function createStatic(dir: string, security: Security, options: StaticOptions = {}): RequestListener {
  const { page = security.page } = options
  const files = readFolder(dir)

  const refuse = (req: IncomingMessage, res: ServerResponse, status: number, text: string) => {
    security.apply(req, res, security.data)
    if (status === 405) res.setHeader('Allow', 'GET, HEAD')
    res.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store', 'Content-Length': text.length })
    res.end(req.method === 'HEAD' ? undefined : text)
  }
  return (req, res) => {
    const url = (req.url ?? '').split('?', 1)[0] ?? ''
    const file = files.get(url)
    if (!file) return refuse(req, res, 404, 'Not found\n')
    if (req.method !== 'GET' && req.method !== 'HEAD') return refuse(req, res, 405, 'Method not allowed\n')
    security.apply(req, res, file.page ? page(req.headers.host, url) : security.data)
    const kept = { ETag: file.etag, 'Cache-Control': file.cache, Vary: 'Accept-Encoding' }
    if (req.headers['if-none-match'] === file.etag) return void res.writeHead(304, kept).end()
    const accepted = String(req.headers['accept-encoding'] ?? '').slice(0, 200)
    const encoding = file.bodies.br && accepts(accepted, 'br') ? 'br' : file.bodies.gzip && accepts(accepted, 'gzip') ? 'gzip' : 'identity'
    const body = file.bodies[encoding]!
    res.writeHead(200, {
      ...kept,
      'Content-Type': file.type,
      'Content-Length': body.length,
      ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
    })
    res.end(req.method === 'HEAD' ? undefined : body)
  }
}
