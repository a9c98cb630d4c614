import { expect } from 'vitest'

/** `expect.poll` with enough patience for a busy machine: it passes as soon as it can and fails after twenty seconds. */
export const eventually = <T>(read: () => T, options: { timeout?: number } = {}) =>
  expect.poll(read, { timeout: 20_000, interval: 20, ...options })
