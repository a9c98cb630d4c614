import type { ViewProps } from '#renderer/widget-api.ts'
import type { ButtonProps } from '#widgets/button/button.props.ts'
import { PushButton } from '#widgets/parts/PushButton.tsx'

export function Button({ root, props, emit, busy, enabled }: ViewProps<ButtonProps, 'press'>) {
  return <PushButton {...props} root={{ ...root }} busy={busy} enabled={enabled} onPress={() => emit('press')} />
}
