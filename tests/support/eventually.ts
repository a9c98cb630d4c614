import { expect } from 'vitest'

/** `expect.poll` that looks again soon; see vitest.config.ts for its limit. */
export const eventually = <T>(read: () => T) => expect.poll(read, { interval: 20 })
