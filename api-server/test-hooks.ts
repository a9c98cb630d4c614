import * as z from 'zod'
import type { Accounts } from '#api-server/account/accounts.ts'
import type { Market } from '#api-server/market/market.ts'
import { tickHook } from '#api-server/market/tick.hook.ts'
import { outboxHook } from '#api-server/outbox/outbox.hook.ts'
import type { Outbox } from '#api-server/outbox/outbox.ts'
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

/** All test hooks. A module exports its own; it is listed here, or among the money hooks in app.ts. */
export function testHooks(
  clock: SettableClock,
  market: Market,
  accounts: Accounts,
  outbox: Outbox,
  money: readonly TestHook[],
): TestHook[] {
  return [clockHook(clock), ...(market.manual ? [tickHook(market.manual)] : []), accounts.hook, outboxHook(outbox), ...money]
}
