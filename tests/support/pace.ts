import { availableParallelism, loadavg } from 'node:os'

/**
 * How many times as long as on a machine that has nothing else to do something may take now; 1 on a quiet one. Figures in milliseconds are
 * promised of a machine of one's own; beside other tests they are multiplied by this.
 */
export function pace(): number {
  const waits = loadavg()[0]! / availableParallelism()
  // What was running in the last minute says little of this moment: how long does a bit of work wait for its core?
  const [from, used] = [performance.now(), process.cpuUsage()]
  while (performance.now() - from < 30);
  const { user, system } = process.cpuUsage(used)
  return Math.max(1, 1.5 * waits, (2 * 30_000) / Math.max(1, user + system) - 1)
}

/** Milliseconds that work keeps a core for, the least of three times: what else runs on the machine does not count. */
export function coreMs(work: () => unknown): number {
  const took = [0, 1, 2].map(() => {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000
  })
  return Math.min(...took)
}
