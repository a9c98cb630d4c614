import { z } from '#zod'

export const dateFieldProps = z.object({
  autoComplete: z.string().optional().describe('autocomplete token: bday, cc-exp …; off by default'),
})
export type DateFieldProps = z.output<typeof dateFieldProps>
