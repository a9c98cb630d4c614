import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { atLeast, atMost, type Bar, median, option, reported, short, spread } from '#bench/bars.ts'
import { type Running, run } from '#bench/product.ts'
import type { Ran } from '#bench/server/feed.ts'

/** Measures the cost of the feed: a send of a price or a private row to a socket, and a reader that stops reading. */
const people = 1_000
const stalledCount = 20
const firstStalled = 100_001

export const startSockets = (origin: string, count: number, firstToken: number, symbols: string): Promise<Running> =>
  run(['--import', 'tsx', 'bench/server/sockets.ts', origin, String(count), String(firstToken), symbols], {})

async function work(origin: string, asked: Record<string, number>): Promise<Ran> {
  const answer = await fetch(`${origin}/run?${new URLSearchParams(Object.entries(asked).map(([name, value]) => [name, String(value)]))}`)
  if (!answer.ok) throw new Error(await answer.text())
  return (await answer.json()) as Ran
}

/** Sockets that get prices or private rows, and read nothing. */
async function stalled(origin: string, isPrivate: boolean): Promise<WebSocket[]> {
  const all: WebSocket[] = []
  for (let n = 0; n < stalledCount; n++) {
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws`, { perMessageDeflate: false })
    await new Promise((done, fail) => socket.once('open', done).once('error', fail))
    const token = isPrivate ? { token: String(firstStalled + n) } : {}
    socket.send(JSON.stringify({ action: 'checkToken', v: 2, caps: ['private', 'rows'], ...token }))
    await new Promise((done) => socket.once('message', done))
    if (!isPrivate) socket.send(JSON.stringify({ action: 'getQuota' }))
    socket.on('error', () => {})
    all.push(socket)
  }
  await pause(300)
  for (const socket of all) socket.pause()
  return all
}

export async function sends(rounds: number): Promise<Bar[]> {
  const feed = await run(['--expose-gc', '--import', 'tsx', 'bench/server/feed.ts'], {})
  const bars: Bar[] = []
  try {
    const symbols = Array.from({ length: 30 }, (_, i) => `S${i}USDT`).join(',')
    const sockets = await startSockets(feed.origin, people, 1, symbols)
    const beats = option('beats', 60)
    const rows = { beats, from: 1, customers: people }
    const kinds = {
      prices: { beats },
      'three private rows at once, as a fill makes': { ...rows, pushes: 3 },
      'a private row alone': { ...rows, pushes: 1 },
      'a private row alone, written by nothing but Node': { beats, bare: 1 },
    }
    const rates: Partial<Record<keyof typeof kinds, number[]>> = {}
    for (let round = 0; round <= rounds; round++)
      for (const name of Object.keys(kinds) as (keyof typeof kinds)[]) {
        const ran = await work(feed.origin, kinds[name])
        if (ran.clients < people) throw new Error(`${ran.clients} of ${people} sockets are open`)
        // The first round warms up.
        if (round > 0) (rates[name] ??= []).push((ran.sent * 1_000) / ran.cpuMs)
      }
    for (const [name, list] of Object.entries(rates)) {
      const says = `sends of ${name}, to ${people} sockets, in a second of the processor`
      bars.push(
        'bare' in kinds[name as keyof typeof kinds] ? reported(says, spread(list)) : atLeast(says, median(list), 100_000, '', spread(list)),
      )
    }
    await sockets.stop()

    for (const [name, isPrivate] of [
      ['prices', false],
      ['private rows', true],
    ] as const) {
      const readers = await stalled(feed.origin, isPrivate)
      const pushes: Record<string, number> = isPrivate ? { pushes: 100, from: firstStalled, customers: stalledCount } : {}
      const ran = await work(feed.origin, { beats: isPrivate ? 600 : 2_000, every: 20, ...pushes })
      const each = (ran.peakBytes - ran.beforeBytes) / stalledCount / 1e6
      const more = `${short(ran.sent / stalledCount)} sends to each, ${ran.closedSlow} of ${stalledCount} closed`
      bars.push(atMost(`memory of a reader of ${name} that stalls, at its peak`, each, 2, ' MB', more))
      for (const socket of readers) socket.terminate()
      await pause(300)
    }
  } finally {
    await feed.stop()
  }
  return bars
}
