import type { ViewProps } from '#renderer/widget-api.ts'
import { PushButton, type PushButtonProps } from '#widgets/parts/PushButton.tsx'

type ButtonProps = Pick<PushButtonProps, 'label' | 'tone' | 'size' | 'icon' | 'block' | 'hideLabel' | 'pressed'>

export function Button({ root, props, emit, busy, enabled }: ViewProps<ButtonProps, 'press'>) {
  return <PushButton {...props} root={{ ...root }} busy={busy} enabled={enabled} onPress={() => emit('press')} />
}
