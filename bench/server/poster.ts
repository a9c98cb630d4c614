import { connect, type Socket } from 'node:net'

/**
 * Posts forms over persistent connections. The client shares the machine's cores with the server, and node:http would take a third of a
 * call, so this client reads only the status, the length and the body.
 */
export interface Poster {
  /** @returns `data` of the answer @throws Error for any status but 200 */
  post<T>(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<T>
  close(): void
}

interface Connection {
  socket: Socket
  read: string
  done: (body: string) => void
  fail: (error: Error) => void
}

function answerIn(text: string): { status: string; body: string } | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const length = /\r\ncontent-length: (\d+)/i.exec(text)
  if (!length || Number(length[1]) > text.length - end - 4) return undefined
  return { status: text.slice(9, 12), body: text.slice(end + 4) }
}

export function createPoster(origin: string): Poster {
  const { hostname, port, host } = new URL(origin)
  const free: Connection[] = []
  const all: Connection[] = []

  function open(): Connection {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    const one: Connection = { socket, read: '', done: () => {}, fail: () => {} }
    all.push(one)
    // Latin-1, so that characters are bytes; the bodies of these answers are ASCII.
    socket.setEncoding('latin1')
    socket.on('data', (part: string) => {
      one.read += part
      const answer = answerIn(one.read)
      if (!answer) return
      one.read = ''
      free.push(one)
      if (answer.status === '200') one.done(answer.body)
      else one.fail(new Error(`${answer.status} ${answer.body}`))
    })
    socket.on('error', (error) => one.fail(error))
    socket.on('close', () => {
      const at = free.indexOf(one)
      if (at >= 0) free.splice(at, 1)
      one.fail(new Error('the connection was closed'))
    })
    return one
  }

  return {
    async post<T>(path: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
      const body = new URLSearchParams(fields).toString()
      const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
      const one = free.pop() ?? open()
      const text = await new Promise<string>((done, fail) => {
        one.done = done
        one.fail = fail
        one.socket.write(
          `POST ${path} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: ${body.length}\r\n${more.join('')}\r\n${body}`,
        )
      })
      return (JSON.parse(text) as { data: T }).data
    },
    close() {
      for (const { socket } of all) socket.destroy()
    },
  }
}
