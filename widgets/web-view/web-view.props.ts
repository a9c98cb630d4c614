import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const webViewProps = z.object({
  url: z.string(),
  title: text().describe('names the page to assistive technology'),
  hosts: z.array(z.string()).max(50).describe('hosts that may be shown, exactly as written; https only'),
})
export type WebViewProps = z.output<typeof webViewProps>
