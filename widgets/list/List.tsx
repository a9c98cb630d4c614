import { lazy, useEngineText, type ViewProps } from '#renderer/widget-api.ts'
import { EndMark } from '#widgets/list/EndMark.tsx'
import styles from '#widgets/list/List.module.css'
import type { ListProps } from '#widgets/list/list.props.ts'
import { PlainRows } from '#widgets/list/PlainRows.tsx'
import { SkeletonShape } from '#widgets/parts/look/SkeletonShape.tsx'
import { Notice } from '#widgets/parts/Notice.tsx'
import { PushButton } from '#widgets/parts/PushButton.tsx'

const plainRowsMax = 30
const WindowedRows = lazy(
  () => import('#widgets/list/WindowedRows.tsx'),
  ({ rows, label }) => <PlainRows rows={rows} count={plainRowsMax} label={label} />,
)

export function List({ root, props, emit, status, retry, slots }: ViewProps<ListProps, 'end', 'row' | 'empty'>) {
  const { windowed = true, rowHeight = 64, lines = true, more, loadingMore = false, endText, label } = props
  const say = useEngineText()
  const { row } = slots
  if (row.count === 0) {
    return (
      <div {...root} className={styles.list} aria-busy={status === 'loading' || undefined}>
        {status === 'loading' ? (
          <SkeletonShape shape="row" count={5} />
        ) : status === 'failed' ? (
          <Notice icon="triangle-alert" tone="warn" title={say('widget.error_title')} text={say('widget.error_text')}>
            <PushButton label={say('widget.retry')} onPress={retry} />
          </Notice>
        ) : slots.empty.count > 0 ? (
          slots.empty.all()
        ) : (
          <Notice icon="inbox" title={say('widget.empty')} />
        )}
      </div>
    )
  }
  return (
    <div {...root} className={styles.list} data-lines={lines}>
      {windowed && row.count > plainRowsMax ? (
        <WindowedRows rows={row} rowHeight={rowHeight} label={label} />
      ) : (
        <PlainRows rows={row} count={row.count} label={label} />
      )}
      {/* A list that has no pages is all there at once: it needs no end. */}
      {(more !== undefined || endText !== undefined) && (
        <EndMark
          count={row.count}
          more={more ?? false}
          loading={loadingMore}
          text={endText ?? say('widget.list_end')}
          onEnd={() => emit('end')}
        />
      )}
    </div>
  )
}
