import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { passwordFieldProps } from '#widgets/password-field/password-field.props.ts'

export const passwordField = defineWidget({
  type: 'password-field',
  props: passwordFieldProps,
  states: { loading: 'self', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/password-field/PasswordField.tsx')).PasswordField })),
})
