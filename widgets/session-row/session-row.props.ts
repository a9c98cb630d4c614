import { z } from '#zod'

export const sessionRowProps = z.object({
  device: z.string().optional().describe('browser and system; empty when unknown'),
  ip: z.string().optional(),
  place: z.string().optional(),
  seen: z.number().meta({ unit: 'ms' }).describe('when it was used last, in ms'),
  current: z.boolean().optional(),
})
export type SessionRowProps = z.output<typeof sessionRowProps>
