import { z } from '#zod'

export const codeFieldProps = z.object({
  digits: z.int().min(4).max(10).optional().describe('6 by default'),
  target: z.string().optional().describe('address that the code is sent to; the waiting time counts per address'),
  sent: z
    .object({ target: z.string().optional(), resend_after: z.int().optional() })
    .nullable()
    .optional()
    .describe('answer of the call that sends the code, stored in state; shows the target and starts the waiting time'),
})
export type CodeFieldProps = z.output<typeof codeFieldProps>
