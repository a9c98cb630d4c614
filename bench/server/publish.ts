import { Agent, get, type IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { atMost, type Bar, reported, short } from '#bench/bars.ts'
import { newDataDir, removeDir, startProduct } from '#bench/product.ts'

const listenersMax = 500
const readersMax = 1_000
const publishes = 20
const share = 0.99
/** Documents that contain the number of their release; no screen shows them. */
const stamped = ['prompt/bench-a', 'prompt/bench-b', 'prompt/bench-c'] as const

interface ManifestPart {
  release: number
  documents: Record<string, { sha256: string } | undefined>
}
interface Got {
  status: number
  etag: string
  text: string
}

function ask(agent: Agent, url: string, headers: Record<string, string> = {}): Promise<Got> {
  return new Promise((done, fail) => {
    get(url, { agent, headers }, (res: IncomingMessage) => {
      let text = ''
      res.setEncoding('utf8')
      res.on('data', (part: string) => {
        text += part
      })
      res.on('error', fail)
      res.on('end', () => done({ status: res.statusCode ?? 0, etag: res.headers.etag ?? '', text }))
    }).on('error', fail)
  })
}

const manifestUrl = (origin: string, n: number) => `${origin}/config/manifest?locale=en&segment=0.0.${n.toString(16).padStart(16, '0')}`

/** A client that listens for releases and then requests its manifest. */
interface Listener {
  release: number
  atMs: number
  close(): void
}
async function listen(origin: string, agent: Agent, n: number): Promise<Listener> {
  const first = await ask(agent, manifestUrl(origin, n))
  let { etag } = first
  const me: Listener = { release: (JSON.parse(first.text) as ManifestPart).release, atMs: performance.now(), close: () => undefined }
  const look = async () => {
    const answer = await ask(agent, manifestUrl(origin, n), { 'if-none-match': etag }).catch(() => undefined)
    if (answer?.status !== 200) return
    etag = answer.etag
    me.release = (JSON.parse(answer.text) as ManifestPart).release
    me.atMs = performance.now()
  }
  await new Promise<void>((done, fail) => {
    const req = get(`${origin}/config/events`, { agent: false }, (res) => {
      res.setEncoding('utf8')
      res.on('data', (part: string) => part.includes('event: release') && void look())
      res.on('error', () => undefined)
      done()
    })
    req.on('error', fail)
    me.close = () => void req.destroy()
  })
  return me
}

async function reach(all: readonly Listener[], release: number, fromMs: number, withinMs: number): Promise<number> {
  for (;;) {
    const times = all.filter((one) => one.release === release).map(({ atMs }) => atMs - fromMs)
    if (times.length >= share * all.length) return times.sort((a, b) => a - b)[Math.ceil(share * all.length) - 1]!
    if (performance.now() - fromMs > withinMs) return Number.POSITIVE_INFINITY
    await pause(5)
  }
}

async function force(origin: string, stamp: number): Promise<number> {
  const documents = Object.fromEntries(stamped.map((key) => [key, { kind: 'prompt', id: key.slice(7), stamp }]))
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${origin}/test/release`, { method: 'POST', headers, body: JSON.stringify({ documents }) })
  if (!answer.ok) throw new Error(`the test release was refused: ${answer.status}`)
  return ((await answer.json()) as { release: number }).release
}
async function restore(origin: string): Promise<number> {
  const answer = await fetch(`${origin}/test/release`, { method: 'DELETE' })
  return ((await answer.json()) as { release: number }).release
}

/** Measures how fast a release and its rollback reach listening clients. */
async function spreading(origin: string): Promise<Bar[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 100 })
  const all: Listener[] = []
  for (let n = 0; n < listenersMax; n += 100)
    all.push(...(await Promise.all(Array.from({ length: 100 }, (_, i) => listen(origin, agent, n + i)))))
  const time = async (change: () => Promise<number>) => {
    const fromMs = performance.now()
    return (await reach(all, await change(), fromMs, 15_000)) / 1_000
  }
  try {
    // The first publish of a process reads all live documents. In practice an operator who opened the draft has caused that already.
    const firstMs = performance.now()
    await force(origin, -2)
    const first = performance.now() - firstMs
    await restore(origin)
    const there = await time(() => force(origin, -1))
    const back = await time(() => restore(origin))
    const name = `${all.length} clients listen: 99 % have`
    return [
      atMost(`${name} a release, from the request to publish it`, there, 2, ' s'),
      atMost(`${name} the way back`, back, 2, ' s'),
      reported('the first publish of a process takes', `${short(first)} ms`),
    ]
  } finally {
    for (const one of all) one.close()
    agent.destroy()
  }
}

/** Checks whether a client ever gets documents of two releases, or an error, while releases follow each other. */
async function reading(origin: string): Promise<Bar[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 250 })
  const counts = { sets: 0, mixes: 0, errors: 0 }
  const wrong = new Set<string>()
  let ended = false
  const reader = async (n: number) => {
    while (!ended) {
      try {
        const answer = await ask(agent, manifestUrl(origin, n))
        if (answer.status !== 200) throw new Error(`the manifest answers ${answer.status}`)
        const { documents } = JSON.parse(answer.text) as ManifestPart
        const stamps = await Promise.all(
          stamped.map(async (key) => {
            const document = await ask(agent, `${origin}/config/documents/${documents[key]?.sha256}.json`)
            if (document.status !== 200) throw new Error(`a document answers ${document.status}`)
            return (JSON.parse(document.text) as { stamp: number }).stamp
          }),
        )
        counts.sets += 1
        if (new Set(stamps).size > 1) counts.mixes += 1
      } catch (error) {
        counts.errors += 1
        wrong.add(String(error))
      }
    }
  }
  await force(origin, 0)
  const all = Promise.all(Array.from({ length: readersMax }, (_, n) => reader(n)))
  const times: number[] = []
  for (let stamp = 1; stamp <= publishes; stamp += 1) {
    const [fromMs, before] = [performance.now(), counts.sets]
    await force(origin, stamp)
    times.push(performance.now() - fromMs)
    while (counts.sets + counts.errors < before + readersMax) await pause(5)
  }
  ended = true
  await all
  agent.destroy()
  await restore(origin)
  const name = `${readersMax} readers during ${publishes} publishes`
  return [
    atMost(`${name}: sets of more than one release`, counts.mixes, 0, '', `${counts.sets} sets read`),
    atMost(`${name}: errors`, counts.errors, 0, '', [...wrong].slice(0, 3).join(' ')),
    reported(`${name}: a publish takes`, `${short(Math.max(...times))} ms at most`),
  ]
}

export async function publishing(): Promise<Bar[]> {
  const dir = newDataDir()
  const product = await startProduct(dir, { TEST_HOOKS: '1', STREAMS_PER_ADDRESS: '2000' })
  try {
    return [...(await spreading(product.origin)), ...(await reading(product.origin))]
  } finally {
    await product.stop()
    removeDir(dir)
  }
}
