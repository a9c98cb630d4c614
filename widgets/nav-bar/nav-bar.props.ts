import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const navBarProps = z.object({
  title: text(30),
  back: z.boolean().optional().describe('a back button unless false; without an action of its own it goes back one page'),
})
export type NavBarProps = z.output<typeof navBarProps>
