import { existsSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { extname, join, normalize } from 'node:path'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Listing, Quote } from '#contract/calls/market.calls.ts'

export interface Stub {
  origin: string
  /** Answers /ws from here, with so many row changes a second on the given symbols. */
  flood(symbols: readonly string[], changesPerSecond: number): Promise<void>
  /** Forwards /ws to the product again. */
  forward(): void
  close(): Promise<void>
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}
const beatMs = 20
const handwritten = '/handwritten/'

/** Proxy in front of the product: forwards all requests, serves the handwritten page, and can take over the socket. */
export async function startStub(productOrigin: string, handwrittenDir: string): Promise<Stub> {
  const product = new URL(productOrigin)
  const sockets = new WebSocketServer({ noServer: true })
  let ticking: { quotes: Map<string, Quote>; perBeat: number } | undefined

  const server = createServer((req, res) => {
    const path = normalize(decodeURIComponent((req.url ?? '/').split('?')[0]!))
    if (path.startsWith(handwritten)) serveFile(req, res, join(handwrittenDir, path.slice(handwritten.length) || 'index.html'))
    else pass(req, res)
  })

  function pass(req: IncomingMessage, res: ServerResponse): void {
    const { host: _host, ...headers } = req.headers
    const out = request({
      host: product.hostname,
      port: product.port,
      path: req.url,
      method: req.method,
      headers: { ...headers, host: product.host },
    })
    out.on('response', (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(res)
    })
    out.on('error', () => res.destroy())
    res.on('close', () => out.destroy())
    req.pipe(out)
  }

  server.on('upgrade', (req, socket, head) => {
    if (ticking && req.url?.startsWith('/ws')) return sockets.handleUpgrade(req, socket, head, (client) => tick(client))
    const out = connect(Number(product.port), product.hostname, () => {
      const lines = req.rawHeaders.flatMap((text, i, all) => (i % 2 ? [] : [`${text}: ${all[i + 1]}`]))
      out.write(`${req.method} ${req.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
      out.write(head)
      socket.pipe(out).pipe(socket)
    })
    socket.on('error', () => out.destroy())
    out.on('error', () => socket.destroy())
  })

  function tick(client: WebSocket): void {
    let asked: string[] = []
    let at = 0
    let seq = 1_000_000
    client.on('message', (text) => {
      const message = JSON.parse(String(text)) as { action: string; symbols?: string[]; symbol?: string; off?: boolean }
      if (message.action === 'checkToken') say({ action: 'checkToken', data: { uid: null, heartbeatMs: 15_000, epoch: 'stub' } })
      if (message.action === 'ping') say({ action: 'ping', ts: Date.now() })
      if (message.action === 'getQuota') asked = message.symbols ?? []
      if (message.action === 'getDepth') bookOf(message.symbol)
    })
    /** Twenty levels a side around the price, of which two change with each beat. */
    let book: { symbol: string; seq: number; middle: number } | undefined
    function bookOf(symbol = ''): void {
      const last = ticking?.quotes.get(symbol)?.last
      if (last === undefined) return
      book = { symbol, seq: 1, middle: Number(last) }
      const side = (sign: number) => Array.from({ length: 20 }, (_, i) => levelAt(sign * (i + 1)))
      say({ ...head(), type: 'snap', bids: side(-1), asks: side(1) })
    }
    const levelAt = (away: number) => [(book!.middle + away).toFixed(2), (1 + (at % 97) / 10).toFixed(2)] as const
    const head = () => ({ action: 'getDepth', symbol: book!.symbol, epoch: 'stub', seq: book!.seq, ts: Date.now() })
    const say = (message: object) => client.send(JSON.stringify(message))
    const timer = setInterval(() => {
      const live = asked.flatMap((symbol) => ticking?.quotes.get(symbol) ?? [])
      if (live.length === 0 || !ticking) return
      const data: Quote[] = []
      for (let i = 0; i < ticking.perBeat; i++) {
        const quote = live[at++ % live.length]!
        quote.last = moved(quote.last, at)
        data.push({ ...quote, change: ((at % 997) / 10_000).toFixed(6), ts: Date.now(), seq: seq++ })
      }
      say({ action: 'getQuota', data })
      if (!book) return
      const prev = book.seq++
      const away = 1 + (prev % 8)
      say({ ...head(), type: 'delta', prev, bids: [levelAt(-away)], asks: [levelAt(away)] })
    }, beatMs)
    client.on('close', () => clearInterval(timer))
  }

  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async flood(symbols, changesPerSecond) {
      const answer = (await (await fetch(`${productOrigin}/api/market/quotation`)).json()) as { data: { list: Listing[] } }
      const quotes = answer.data.list.flatMap(({ symbol, quote24h }) =>
        symbols.includes(symbol) ? [[symbol, { ...quote24h }] as const] : [],
      )
      ticking = { quotes: new Map(quotes), perBeat: (changesPerSecond * beatMs) / 1_000 }
    },
    forward() {
      ticking = undefined
    },
    async close() {
      for (const client of sockets.clients) client.terminate()
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

/** Cycles the last digit, so that every price is a change. */
function moved(price: string, step: number): string {
  const now = Number(price.at(-1))
  return `${price.slice(0, -1)}${(now + 1 + (step % 8)) % 10}`
}

/** Serves files like the product: pre-compressed with brotli, cached for good. */
function serveFile(req: IncomingMessage, res: ServerResponse, path: string): void {
  if (!existsSync(path)) return void res.writeHead(404).end()
  const packed = String(req.headers['accept-encoding']).includes('br') && existsSync(`${path}.br`)
  const headers = {
    'content-type': types[extname(path)] ?? 'application/octet-stream',
    'cache-control': path.endsWith('.html') ? 'no-cache' : 'max-age=31536000, immutable',
  }
  res.writeHead(200, packed ? { ...headers, 'content-encoding': 'br' } : headers).end(readFileSync(packed ? `${path}.br` : path))
}
