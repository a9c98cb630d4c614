import { writeSync } from 'node:fs'

/** The original function, whatever a test replaces it by later. */
const put = writeSync
const full = (error: unknown) => (error as NodeJS.ErrnoException).code === 'EAGAIN'
const moment = new Int32Array(new SharedArrayBuffer(4))

/**
 * Writes a line to standard output synchronously. `process.stdout` buffers output for a slow listener, and a killed process would lose it.
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
