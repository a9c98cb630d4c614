import type { ViewProps } from '#renderer/widget-api.ts'
import type { EmptyProps } from '#widgets/empty/empty.props.ts'
import { Notice } from '#widgets/parts/Notice.tsx'
import { PushButton } from '#widgets/parts/PushButton.tsx'

export function Empty({ root, props, emit, busy, enabled }: ViewProps<EmptyProps, 'press'>) {
  const { title, text, icon = 'inbox', action } = props
  return (
    <div {...root}>
      <Notice icon={icon} title={title} text={text}>
        {action && <PushButton label={action} busy={busy} enabled={enabled} onPress={() => emit('press')} />}
      </Notice>
    </div>
  )
}
