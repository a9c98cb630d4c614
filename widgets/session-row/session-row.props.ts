import { z } from '#zod'

export const sessionRowProps = z.object({
  device: z.string().optional().describe('browser and operating system; empty when unknown'),
  ip: z.string().optional(),
  place: z.string().optional(),
  seen: z.number().meta({ unit: 'ms' }).describe('time of the last use, ms since 1970 UTC'),
  current: z.boolean().optional(),
})
export type SessionRowProps = z.output<typeof sessionRowProps>
