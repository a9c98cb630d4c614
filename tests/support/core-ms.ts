/** CPU time of work in ms, the least of three runs, so that other load of the machine does not count. */
export function coreMs(work: () => unknown): number {
  const took = [0, 1, 2].map(() => {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000
  })
  return Math.min(...took)
}
