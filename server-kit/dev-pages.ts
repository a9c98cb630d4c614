import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { RequestListener, Server } from 'node:http'
import { join } from 'node:path'
import type { Security } from '#server-kit/security.ts'

/** Pages of the development server by address. */
const pages: Record<string, string> = { '/': 'index.html', '/gallery': 'gallery.html', '/gallery.html': 'gallery.html' }

/** The app straight from its sources, replaced in the open page when they change. The socket for that rides on `server`. */
export async function createDevPages(
  root: string,
  server: Server,
  security: Security,
): Promise<{ handle: RequestListener; close(): Promise<void> }> {
  const { createServer } = await import('vite')
  const vite = await createServer({ root, appType: 'custom', server: { middlewareMode: true, hmr: { server } } })
  const handle: RequestListener = (req, res) => {
    security.apply(req, res, security.page(req.headers.host))
    vite.middlewares(req, res, async () => {
      const file = pages[(req.url ?? '').split('?', 1)[0] ?? '']
      if (!file || !existsSync(join(root, file))) return void res.writeHead(404, { 'Content-Type': 'text/plain' }).end('Not found\n')
      try {
        const html = await vite.transformIndexHtml(req.url ?? '/', await readFile(join(root, file), 'utf8'))
        res.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' }).end(html)
      } catch (error) {
        res.writeHead(500, { 'Content-Type': 'text/plain' }).end(String(error))
      }
    })
  }
  return { handle, close: () => vite.close() }
}
