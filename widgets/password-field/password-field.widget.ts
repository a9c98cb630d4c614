import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const passwordField = defineWidget({
  type: 'password-field',
  props: z.object({
    autoComplete: z.enum(['current', 'new', 'off']).optional().describe('current unless given; new lets a password manager make one up'),
    strength: z.boolean().optional().describe('says how hard it is to guess'),
    placeholder: text().optional(),
  }),
  states: { loading: 'self', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/password-field/PasswordField.tsx')).PasswordField })),
})
