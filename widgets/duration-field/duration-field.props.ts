import { share } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const durationFieldProps = z.object({
  durations: z
    .array(z.object({ seconds: z.int(), payout_rate: share() }))
    .describe('what each of the options, whose ids are seconds, pays'),
})
export type DurationFieldProps = z.output<typeof durationFieldProps>
