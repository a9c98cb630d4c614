import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { ViteDevServer } from 'vite'
import type { Security } from '#server-kit/http/security-headers.ts'

/** Pages of the development server by address. */
const appPages: Record<string, string> = { '/': 'index.html', '/gallery': 'gallery.html', '/gallery.html': 'gallery.html' }
/** Those of the console, which has a build of its own. */
const consolePages: Record<string, string> = {
  '/console/': 'console/index.html',
  '/console/preview.html': 'console/preview.html',
  '/console/back-office.html': 'console/back-office.html',
}
/** A mistake in a file that is no module: Vite does not know of it. */
export interface DevProblem {
  /** Path below the root. */
  file: string
  line: number
  /** JSON pointer of the place; may be empty. */
  pointer: string
  message: string
  suggestion?: string | undefined
}

export interface DevPages {
  handle: RequestListener
  /**
   * Lays these over every page of the app, open or opened later, the first one with its lines; none takes the overlay away.
   * @param hasRelease whether documents without mistakes are shown below it
   */
  show(problems: readonly DevProblem[], hasRelease: boolean): void
  close(): Promise<void>
}

const shownMax = 30
const linesAround = 3

const sentence = ({ pointer, message, suggestion }: DevProblem) =>
  `${pointer ? `${pointer} ` : ''}${message}${suggestion === undefined ? '' : `; did you mean ${JSON.stringify(suggestion)}?`}`

/** Returns the content of Vite's overlay: the first problem with the lines around it, and the others in one line each. */
export function overlayOf(
  problems: readonly DevProblem[],
  hasRelease: boolean,
  root: string,
  textOf: (file: string) => string | undefined,
) {
  const [first, ...others] = problems
  if (!first) return undefined
  const lines = (textOf(first.file) ?? '').split('\n')
  const from = Math.max(0, first.line - 1 - linesAround)
  const frame = lines
    .slice(from, first.line + linesAround)
    .map((line, i) => `${from + i + 1 === first.line ? '>' : ' '} ${String(from + i + 1).padStart(4)} | ${line}\n`)
  const more = others.slice(0, shownMax).map((one) => `${one.file}:${one.line} ${sentence(one)}`)
  const left = others.length - more.length
  return {
    type: 'error' as const,
    err: {
      plugin: 'documents',
      message: `${sentence(first)}\n\n${hasRelease ? 'The last documents without mistakes are shown.' : 'Nothing can be shown until the mistakes are corrected.'}`,
      loc: { file: join(root, first.file), line: first.line, column: 1 },
      frame: frame.join(''),
      stack: [...more, ...(left > 0 ? [`and ${left} more`] : [])].join('\n'),
    },
  }
}

const consoleConfig = 'vite.console.config.ts'

/** App and console straight from their sources, replaced in the open page when they change. The sockets for that ride on `server`. */
export async function createDevPages(root: string, server: Server, security: Security): Promise<DevPages> {
  const { createServer } = await import('vite')
  const shared = { root, appType: 'custom', server: { middlewareMode: true, hmr: { server } } } as const
  const app = await createServer(shared)
  let overlay: ReturnType<typeof overlayOf>
  app.ws.on('connection', () => overlay && app.ws.send(overlay))
  // Started when the console is first asked for: who works on screens need not wait for it.
  let console: Promise<ViteDevServer> | undefined
  const openConsole = () =>
    createServer({ ...shared, configFile: join(root, consoleConfig), cacheDir: join(root, 'node_modules/.vite-console') })

  async function answer(vite: ViteDevServer, file: string | undefined, req: IncomingMessage, res: ServerResponse): Promise<void> {
    // Vite takes its base out of the address, and with it the place of the page.
    const url = req.url ?? '/'
    if (!file) {
      const missing = () => void res.writeHead(404, { 'Content-Type': 'text/plain' }).end('Not found\n')
      if (vite === app) return vite.middlewares(req, res, missing)
      return vite.middlewares(req, res, () => {
        // Icons are the app's.
        req.url = url.slice('/console'.length)
        app.middlewares(req, res, missing)
      })
    }
    const html = await vite.transformIndexHtml(url, await readFile(join(root, file), 'utf8'))
    res.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' }).end(html)
  }
  const handle: RequestListener = async (req, res) => {
    const path = (req.url ?? '').split('?', 1)[0] ?? ''
    const ofConsole = path.startsWith('/console/')
    const { host } = req.headers
    security.apply(
      req,
      res,
      ofConsole ? security.console(host, path === '/console/preview.html' || path === '/console/back-office.html') : security.page(host),
    )
    if (path === '/console') return void res.writeHead(308, { Location: '/console/' }).end()
    try {
      if (ofConsole) {
        console ??= openConsole()
        await answer(await console, consolePages[path], req, res)
      } else await answer(app, appPages[path], req, res)
    } catch (error) {
      if (!res.headersSent) res.writeHead(500, { 'Content-Type': 'text/plain' })
      res.end(String(error))
    }
  }
  return {
    handle,
    show(problems, hasRelease) {
      const before = overlay
      const textOf = (file: string) => (existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : undefined)
      overlay = overlayOf(problems, hasRelease, root, textOf)
      // Vite would keep an error for the first page that is opened, though it was corrected before.
      if (app.ws.clients.size === 0) return
      if (overlay) app.ws.send(overlay)
      // An update of nothing takes an overlay away.
      else if (before) app.ws.send({ type: 'update', updates: [] })
    },
    async close() {
      await Promise.all([app.close(), console?.then((vite) => vite.close())])
    },
  }
}
