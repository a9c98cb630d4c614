import { text, timeMs } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const countdownProps = z.object({ to: timeMs().describe('ms since 1970 UTC'), label: text() })
export type CountdownProps = z.output<typeof countdownProps>
