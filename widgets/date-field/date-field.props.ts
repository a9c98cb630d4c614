import { z } from '#zod'

export const dateFieldProps = z.object({ autoComplete: z.string().optional().describe('bday, cc-exp …; nothing unless given') })
export type DateFieldProps = z.output<typeof dateFieldProps>
