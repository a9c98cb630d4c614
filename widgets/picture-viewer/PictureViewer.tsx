import { type CSSProperties, useState } from 'react'
import { lazy, useEngineText, type ViewProps } from '#renderer/widget-api.ts'
import { mayDraw } from '#widgets/parts/address.rules.ts'
import { classes } from '#widgets/parts/look/classes.ts'
import { Icon } from '#widgets/parts/look/Icon.tsx'
import { Notice } from '#widgets/parts/Notice.tsx'
import styles from '#widgets/picture-viewer/PictureViewer.module.css'
import type { PictureViewerProps } from '#widgets/picture-viewer/picture-viewer.props.ts'

const LargePicture = lazy(() => import('#widgets/parts/LargePicture.tsx'))

/** A gallery of pictures; a press opens one large, where it can be rotated and zoomed. */
export function PictureViewer({ root, props, status }: ViewProps<PictureViewerProps>) {
  const { label, pictures = [], columns, fill = false, emptyText } = props
  const say = useEngineText()
  const [open, setOpen] = useState<number | undefined>(undefined)
  const [broken, setBroken] = useState<readonly string[]>([])
  const shape = {
    className: styles.row,
    'data-even': columns ? '' : undefined,
    'data-fill': fill || undefined,
    style: columns ? ({ '--columns': columns } as CSSProperties) : undefined,
  }
  if (status === 'loading' && pictures.length === 0)
    return (
      <div {...root} aria-busy="true">
        <div {...shape} aria-hidden="true">
          {Array.from({ length: (columns ?? 1) * 2 }, (_, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the pieces are alike
            <i key={i} className={styles.bone} />
          ))}
        </div>
      </div>
    )
  if (pictures.length === 0)
    return (
      <div {...root}>
        <Notice icon="image" title={emptyText ?? say('widget.empty')} />
      </div>
    )
  const nameOf = (at: number) => pictures[at]?.title ?? say('widget.picture_of', { label, n: at + 1, total: pictures.length })
  return (
    <div {...root}>
      <ul
        // biome-ignore lint/a11y/noRedundantRoles: a list without bullets loses its role in Safari
        role="list"
        aria-label={label}
        {...shape}
      >
        {pictures.map(({ id, src, title }, i) => {
          const lost = broken.includes(src) || !mayDraw(src)
          return (
            <li key={id} className={styles.item}>
              <button
                type="button"
                className={classes('pressable', styles.thumb)}
                disabled={lost}
                aria-label={lost ? say('widget.picture_lost') : say('widget.picture_open', { label: nameOf(i) })}
                onClick={() => setOpen(i)}
              >
                {lost ? (
                  <span className={styles.lost}>
                    <Icon name="image" size={24} />
                    <span>{say('widget.picture_lost')}</span>
                  </span>
                ) : (
                  <img src={src} alt="" loading="lazy" decoding="async" onError={() => setBroken((before) => [...before, src])} />
                )}
              </button>
              {title && (
                <p className={styles.title} aria-hidden="true">
                  {title}
                </p>
              )}
            </li>
          )
        })}
      </ul>
      {open !== undefined && <LargePicture pictures={pictures} at={open} nameOf={nameOf} show={setOpen} close={() => setOpen(undefined)} />}
    </div>
  )
}
