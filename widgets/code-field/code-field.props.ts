import { z } from '#zod'

export const codeFieldProps = z.object({
  digits: z.int().min(4).max(10).optional().describe('6 unless given'),
  target: z.string().optional().describe('address that the code goes to: waiting counts for each apart'),
  sent: z
    .object({ target: z.string().optional(), resend_after: z.int().optional() })
    .nullable()
    .optional()
    .describe('what the sending call answered, kept whole in state: says where the code went and begins the wait'),
})
export type CodeFieldProps = z.output<typeof codeFieldProps>
