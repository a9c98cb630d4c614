import * as z from 'zod'
import type { Outbox } from '#api-server/outbox/outbox.ts'
import { timeMs } from '#contract/fields.ts'
import type { TestHook } from '#server-kit/ops/test-hooks.ts'

const input = z.object({ to: z.string().max(300).optional().describe('address or number in its stored form: +86 13800138000') })

/** GET /test/outbox {to?}: waiting messages, newest first, with readable codes. */
export function outboxHook(outbox: Outbox): TestHook {
  const message = z.object({
    id: z.int(),
    channel: z.enum(['mail', 'sms']),
    to: z.string(),
    kind: z.string(),
    subject: z.string(),
    text: z.string(),
    code: z.string().nullable(),
    created: timeMs,
  })
  return {
    row: {
      method: 'GET',
      path: '/test/outbox',
      auth: 'none',
      input,
      output: z.object({ list: z.array(message) }),
      problems: [],
      summary: 'Messages that wait to be sent',
    },
    handler: async (asked) => {
      const list = await outbox.waiting((asked as z.output<typeof input>).to)
      return {
        list: list.map((one) => ({ ...one, code: one.kind.startsWith('code:') ? (/\b\d{6}\b/.exec(one.text)?.[0] ?? null) : null })),
      }
    },
  }
}
