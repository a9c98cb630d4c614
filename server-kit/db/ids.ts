/** Numbers that are fetched ahead, so that a row has its number before it is written. */
const blockSize = 200
const refillBelow = 100

/** Numbers grow within a node; those of several nodes take turns in blocks. @param fetch asks the database, outside of any transaction */
export function createIds(fetch: (count: number) => Promise<number[]>) {
  const ids: number[] = []
  let underWay: Promise<void> | undefined
  const refill = () => {
    underWay ??= fetch(blockSize)
      .then((more) => void ids.push(...more))
      .finally(() => {
        underWay = undefined
      })
    return underWay
  }
  return {
    /** Never inside of a transaction. A number that is not used leaves a gap. */
    async take(): Promise<number> {
      while (!ids.length) await refill()
      const id = ids.shift()!
      // A caller that finds no number loads a block itself, and gets the error.
      if (ids.length < refillBelow) refill().catch(() => {})
      return id
    },
  }
}
