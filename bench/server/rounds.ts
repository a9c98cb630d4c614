import { readFileSync } from 'node:fs'
import autocannon, { type Client } from 'autocannon'

export interface Target {
  name: string
  path: string
  headers: Record<string, string>
  status: number
}
export interface Sample {
  perSecond: number
  p99Ms: number
  /** CPU time of the server per answer. */
  cpuUs: number
  answers: number
  bytes: number
}

const ticksPerSecond = 100

/** CPU seconds used by a process. */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

/**
 * autocannon decodes each body as text, though nothing reads it. For a compressed body that takes ten times as long as the answer does, so what
 * was measured was autocannon.
 */
function dropBodies(client: Client): void {
  const { pipelinedRequests } = client as unknown as { pipelinedRequests: { addBody(body: Buffer): void } }
  if (typeof pipelinedRequests?.addBody !== 'function') throw new Error('this version of autocannon keeps bodies elsewhere')
  pipelinedRequests.addBody = () => {}
}

/** Requests one address repeatedly. @throws when an answer is not the expected one */
export async function fire(origin: string, pid: number, target: Target, stop: { seconds: number } | { amount: number }): Promise<Sample> {
  const cpu = cpuSeconds(pid)
  const from = performance.now()
  const result = await autocannon({
    url: origin + target.path,
    headers: target.headers,
    connections: 16,
    setupClient: dropBodies,
    ...('amount' in stop ? { amount: stop.amount } : { duration: stop.seconds }),
  })
  const seconds = (performance.now() - from) / 1_000
  const counts: Record<string, { count?: number }> = result.statusCodeStats ?? {}
  const answers = Object.values(counts).reduce((sum, { count }) => sum + (count ?? 0), 0)
  const right = counts[target.status]?.count ?? 0
  if (right !== answers || answers === 0 || result.errors > 0)
    throw new Error(`${target.name}: ${JSON.stringify(counts)}, errors ${result.errors}`)
  return {
    perSecond: answers / seconds,
    p99Ms: result.latency.p99,
    cpuUs: ((cpuSeconds(pid) - cpu) * 1e6) / answers,
    answers,
    bytes: result.throughput.total,
  }
}
