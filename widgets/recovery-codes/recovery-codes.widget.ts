import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const recoveryCodes = defineWidget({
  type: 'recovery-codes',
  props: z.object({
    label: text(),
    codes: z.array(z.string()).max(30),
    file: z.string().optional().describe('name of the text file, without its ending'),
  }),
  events: ['kept'],
  label: 'label',
  states: { loading: 'skeleton', error: 'card', empty: { prop: 'codes', by: 'engine' } },
  view: lazyView(async () => ({ default: (await import('#widgets/recovery-codes/RecoveryCodes.tsx')).RecoveryCodes })),
})
