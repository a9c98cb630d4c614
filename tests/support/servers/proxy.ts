import { connect, createServer, type Socket } from 'node:net'

/** A TCP proxy on loopback whose connections can be cut. */
export interface Cable {
  readonly origin: string
  /** Closes all connections and refuses new ones. */
  cut(): void
  mend(): void
  /**
   * From now on requests that start like this (`POST /api/x`) arrive, but their answers are lost: the connection is closed. Without
   * requests all answers arrive.
   */
  loseAnswers(...requests: string[]): void
  close(): Promise<void>
}

/** Looks at what passes on one connection, which is cut when it says so: what it was shown does not arrive. */
export interface Watch {
  sent(part: Buffer): boolean
  answered(part: Buffer): boolean
}

/** @param target `http://127.0.0.1:40123` */
export async function layCable(target: string, watch?: () => Watch): Promise<Cable> {
  const { hostname, port } = new URL(target)
  const ends = new Set<Socket>()
  let whole = true
  let lost: readonly string[] = []
  const server = createServer((near) => {
    if (!whole) return near.destroy()
    const far = connect(Number(port), hostname)
    let deaf = false
    const watcher = watch?.()
    near.on('data', (part) => {
      // Before the pipe hands it on.
      if (watcher?.sent(part)) far.destroy()
      deaf ||= lost.some((start) => part.toString('latin1').startsWith(start))
    })
    far.on('data', (part) => {
      if (deaf || watcher?.answered(part)) near.destroy()
      else near.write(part)
    })
    far.on('end', () => near.end())
    near.pipe(far)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        ends.delete(one)
        other.destroy()
      })
    }
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const cut = () => {
    whole = false
    for (const end of ends) end.destroy()
  }
  return {
    origin: `http://127.0.0.1:${address.port}`,
    cut,
    mend: () => {
      whole = true
    },
    loseAnswers: (...requests) => {
      lost = requests
    },
    close: () => {
      cut()
      return new Promise((done) => server.close(() => done()))
    },
  }
}
