import { writeSync } from 'node:fs'

/** As it is now: what a test puts in its place later is not meant. */
const put = writeSync
const full = (error: unknown) => (error as NodeJS.ErrnoException).code === 'EAGAIN'
const moment = new Int32Array(new SharedArrayBuffer(4))

/**
 * Writes a line to standard output before anything else happens. `process.stdout` keeps to itself what a listener that is slow has no room for,
 * and it would be gone with a process that is killed.
 */
export function say(line: string): void {
  let left = Buffer.from(`${line}\n`)
  while (left.length)
    try {
      left = left.subarray(put(1, left))
    } catch (error) {
      if (!full(error)) throw error
      Atomics.wait(moment, 0, 0, 1)
    }
}
