import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
  text: string
  json: <T = Record<string, unknown>>() => T
}

/** One request with exactly the given path, without normalization. */
export function ask(
  origin: string,
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve, reject) => {
    const req = request({ hostname, port, path, method: options.method ?? 'GET', headers: options.headers, agent: false }, (res) => {
      const parts: Buffer[] = []
      res.on('data', (part: Buffer) => parts.push(part))
      res.on('error', reject)
      res.on('end', () => {
        const body = Buffer.concat(parts)
        resolve({
          status: res.statusCode ?? 0,
          headers: res.headers,
          body,
          text: body.toString(),
          json: <T>() => JSON.parse(body.toString()) as T,
        })
      })
    })
    req.on('error', reject)
    req.end(options.body)
  })
}

/** A client of server-sent events. */
export interface EventSourceClient {
  /** The next event of this name, received already or later. @throws after `withinMs` */
  next(name: string, withinMs?: number): Promise<string>
  /** Everything received so far. */
  received(): string
  readonly ended: Promise<void>
  readonly status: number
  headers: IncomingHttpHeaders
  close(): void
}

export function listenTo(origin: string, path: string): Promise<EventSourceClient> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve, reject) => {
    const req = request({ hostname, port, path, headers: { accept: 'text/event-stream' }, agent: false }, (res: IncomingMessage) => {
      let text = ''
      let read = 0
      let wake: () => void = () => undefined
      res.setEncoding('utf8')
      res.on('data', (part: string) => {
        text += part
        wake()
      })
      const ended = new Promise<void>((done) => res.on('close', done))
      res.on('error', () => undefined)
      const take = (name: string): string | undefined => {
        const rest = text.slice(read)
        const match = new RegExp(`event: ${name}\\ndata: ([^\\n]*)\\n\\n`).exec(rest)
        if (!match) return undefined
        read += match.index + match[0].length
        return match[1]
      }
      resolve({
        status: res.statusCode ?? 0,
        headers: res.headers,
        ended,
        received: () => text,
        close: () => void req.destroy(),
        async next(name, withinMs = 120_000) {
          const until = performance.now() + withinMs
          for (;;) {
            const data = take(name)
            if (data !== undefined) return data
            const left = until - performance.now()
            if (left <= 0) throw new Error(`no ${name} within ${withinMs} ms; received ${JSON.stringify(text)}`)
            await new Promise<void>((done) => {
              wake = done
              setTimeout(done, left)
            })
          }
        },
      })
    })
    req.on('error', reject)
    req.end()
  })
}
