import { useEngineText, type ViewProps } from '#renderer/widget-api.ts'
import type { ErrorProps } from '#widgets/error/error.props.ts'
import { Notice } from '#widgets/parts/Notice.tsx'
import { PushButton } from '#widgets/parts/PushButton.tsx'

export function ErrorCard({ root, props, emit, busy, enabled }: ViewProps<ErrorProps, 'retry'>) {
  const say = useEngineText()
  const { title = say('widget.error_title'), text = say('widget.error_text'), code } = props
  return (
    <div {...root} role="alert">
      <Notice icon="triangle-alert" tone="warn" title={title} text={text} code={code}>
        <PushButton label={say('widget.retry')} busy={busy} enabled={enabled} onPress={() => emit('retry')} />
      </Notice>
    </div>
  )
}
