import { expect } from 'vitest'

/** `expect.poll` with a limit of twenty seconds, for busy machines: it passes as soon as the condition is met. */
export const eventually = <T>(read: () => T, options: { timeout?: number } = {}) =>
  expect.poll(read, { timeout: 20_000, interval: 20, ...options })
