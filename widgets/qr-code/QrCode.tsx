import { useEffect, useState } from 'react'
import { useEngineText, type ViewProps } from '#renderer/widget-api.ts'
import { CopyButton } from '#widgets/parts/CopyButton.tsx'
import { download } from '#widgets/parts/download.ts'
import { PushButton } from '#widgets/parts/PushButton.tsx'
import type { Drawn } from '#widgets/parts/qr/encode.ts'
import styles from '#widgets/qr-code/QrCode.module.css'
import type { QrCodeProps } from '#widgets/qr-code/qr-code.props.ts'

/** Width of the quiet zone in modules, which many cameras require. */
const quiet = 4
const pixels = 1_024

/** Black on white in both themes, because not every camera reads inverted codes. */
export function QrCode({ root, props }: ViewProps<QrCodeProps>) {
  const { value, label, copy = false, save = false, file = 'qr-code' } = props
  const say = useEngineText()
  const [drawn, setDrawn] = useState<{ value: string; code?: Drawn }>()
  useEffect(() => {
    let current = true
    import('#widgets/parts/qr/encode.ts')
      .then(({ encode }) => current && setDrawn({ value, code: encode(value) }))
      .catch(() => current && setDrawn({ value }))
    return () => {
      current = false
    }
  }, [value])
  const code = drawn && drawn.value === value ? drawn.code : undefined
  const side = (code?.size ?? 0) + 2 * quiet
  return (
    <div {...root} className={styles.qr}>
      <div className={styles.paper}>
        {code && (
          <svg
            className={styles.code}
            viewBox={`${-quiet} ${-quiet} ${side} ${side}`}
            role="img"
            aria-label={label}
            shapeRendering="crispEdges"
          >
            <path d={code.path} fill="#000" />
          </svg>
        )}
        {drawn && drawn.value === value && !code && (
          <p className={styles.failed} role="alert">
            {say('widget.qr_failed')}
          </p>
        )}
      </div>
      {copy && <p className={styles.value}>{value}</p>}
      {(copy || save) && (
        <div className={styles.tools}>
          {copy && <CopyButton text={value} label={say('widget.copy_this')} />}
          {save && code && (
            <PushButton
              label={say('widget.save_picture')}
              size="sm"
              icon="download"
              onPress={() => void savePicture(code, `${file}.png`)}
            />
          )}
        </div>
      )}
    </div>
  )
}

async function savePicture({ size, path }: Drawn, name: string): Promise<void> {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = pixels
  const pen = canvas.getContext('2d')
  if (!pen) return
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, pixels, pixels)
  pen.fillStyle = '#000'
  const scale = Math.floor(pixels / (size + 2 * quiet))
  const inset = (pixels - size * scale) / 2
  pen.setTransform(scale, 0, 0, scale, inset, inset)
  pen.fill(new Path2D(path))
  const picture = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'))
  if (picture) download(picture, name)
}
