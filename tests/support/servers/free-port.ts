import { createServer } from 'node:net'

/** Below the ports that a system gives to connections and to servers that ask for any: none of those can take it before it is used. */
const [from, to] = [20_000, 32_000]

const isFree = (port: number) =>
  new Promise<boolean>((done) => {
    const server = createServer()
    server.once('error', () => done(false))
    server.listen(port, '127.0.0.1', () => server.close(() => done(true)))
  })

/** A port of loopback for a server that must get its port. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = from + Math.floor(Math.random() * (to - from))
    if (await isFree(port)) return port
  }
}
