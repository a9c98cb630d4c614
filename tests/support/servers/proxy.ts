import { connect, createServer, type Socket } from 'node:net'

/** A cable on the loopback that can be cut: forwards TCP to a port. */
export interface Cable {
  readonly origin: string
  /** Ends what runs and refuses what comes. */
  cut(): void
  mend(): void
  /** From now on requests that begin so (`POST /api/x`) arrive, and their answers do not: the connection ends instead. None: all answers come. */
  loseAnswers(...requests: string[]): void
  close(): Promise<void>
}

/** @param target `http://127.0.0.1:40123` */
export async function layCable(target: string): Promise<Cable> {
  const { hostname, port } = new URL(target)
  const ends = new Set<Socket>()
  let whole = true
  let lost: readonly string[] = []
  const server = createServer((near) => {
    if (!whole) return near.destroy()
    const far = connect(Number(port), hostname)
    let deaf = false
    near.on('data', (part) => {
      deaf ||= lost.some((start) => part.toString('latin1').startsWith(start))
    })
    far.on('data', (part) => {
      if (deaf) near.destroy()
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
