import * as z from 'zod'
import { integerText, timeMs } from '#contract/fields.ts'
import type { SettableClock } from '#server-kit/ops/clock.ts'
import type { TestHook } from '#server-kit/ops/test-hooks.ts'

const clockInput = z.object({ now: integerText(0, 99_999_999_999_999).optional().describe('ms UTC; absent: the system time') })

/** POST /test/clock {now}: sets the clock of the server, which continues from there. */
function clockHook(clock: SettableClock): TestHook {
  return {
    row: {
      method: 'POST',
      path: '/test/clock',
      auth: 'none',
      input: clockInput,
      output: z.object({ now: timeMs }),
      problems: [],
      summary: 'Sets the clock',
    },
    handler: (input) => {
      clock.set((input as z.output<typeof clockInput>).now)
      return { now: clock.now() }
    },
  }
}

/** The clock's hook and those of the modules. */
export const testHooks = (clock: SettableClock, ofModules: readonly TestHook[]): TestHook[] => [clockHook(clock), ...ofModules]
