import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const recoveryCodesProps = z.object({
  label: text(),
  codes: z.array(z.string()).max(30),
  file: z.string().optional().describe('name of the text file without extension'),
})
export type RecoveryCodesProps = z.output<typeof recoveryCodesProps>
