import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { recoveryCodesProps } from '#widgets/recovery-codes/recovery-codes.props.ts'

export const recoveryCodes = defineWidget({
  type: 'recovery-codes',
  props: recoveryCodesProps,
  events: ['kept'],
  label: 'label',
  states: { loading: 'skeleton', error: 'card', empty: { prop: 'codes', by: 'engine' } },
  view: lazyView(async () => ({ default: (await import('#widgets/recovery-codes/RecoveryCodes.tsx')).RecoveryCodes })),
})
