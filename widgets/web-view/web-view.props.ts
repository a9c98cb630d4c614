import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const webViewProps = z.object({
  url: z.string(),
  title: text().describe('accessible name of the page'),
  hosts: z.array(z.string()).max(50).describe('allowed hosts, matched exactly; https only'),
})
export type WebViewProps = z.output<typeof webViewProps>
