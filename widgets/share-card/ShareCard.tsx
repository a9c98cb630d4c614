import { useEffect, useRef, useState } from 'react'
import { useEngineText, useFormat, useQuote, type ViewProps } from '#renderer/widget-api.ts'
import { download } from '#widgets/parts/download.ts'
import { directionOf } from '#widgets/parts/figures/change.rules.ts'
import { liveFigures } from '#widgets/parts/figures/live.rules.ts'
import { signedParts } from '#widgets/parts/figures/money.rules.ts'
import { SkeletonShape } from '#widgets/parts/look/SkeletonShape.tsx'
import { PushButton } from '#widgets/parts/PushButton.tsx'
import { type Drawn, encode } from '#widgets/parts/qr/encode.ts'
import { draw, type Picture, pngOf, size } from '#widgets/share-card/picture.ts'
import styles from '#widgets/share-card/ShareCard.module.css'
import type { ShareCardProps } from '#widgets/share-card/share-card.props.ts'
import { figuresOf, fileOf } from '#widgets/share-card/trade.rules.ts'

const mayShare = (file: File) => typeof navigator.canShare === 'function' && navigator.canShare({ files: [file] })
const mayCopy = () => typeof ClipboardItem === 'function' && typeof navigator.clipboard?.write === 'function'
const isRefusal = (error: unknown) => error instanceof DOMException && error.name === 'AbortError'

/** A trade as a picture that is shared, saved or copied. It is drawn on the device; nothing is sent. */
export function ShareCard({ root, props }: ViewProps<ShareCardProps>) {
  const { trade, tick, label, brand, invite, code, link, simulated = false } = props
  const say = useEngineText()
  const format = useFormat()
  const quote = useQuote(trade.symbol)
  const [hidden, setHidden] = useState(props.hidden ?? false)
  const [told, setTold] = useState('')
  const canvas = useRef<HTMLCanvasElement>(null)
  const live = quote && liveFigures(trade, quote.last)
  const figures = figuresOf(trade, quote && live && { mark: quote.last, ...live })

  const price = (text: string) => format.price(text, tick)
  const signed = (text: string, write: (size: string) => string) => {
    const parts = signedParts(text)
    return parts.sign + write(parts.size)
  }
  const time = figures?.isClosed ? trade.ended : trade.opened
  const picture: Picture | undefined = figures && {
    ...{ brand, invite, code, name: trade.name, simulated: simulated ? say('widget.chart_simulated') : undefined },
    side: `${say(`widget.position_${trade.side}`)} ×${trade.multiple}`,
    sideTone: trade.side === 'long' ? 'up' : 'down',
    tone: directionOf(figures.gain),
    gainLabel: say(figures.isClosed ? 'widget.card_gain_closed' : 'widget.card_gain_open'),
    gain: signed(figures.gain, format.percent),
    profit: hidden ? undefined : `${signed(figures.profit, (text) => format.amount(text, { min: 2, max: 2 }))} ${trade.currency_code}`,
    facts: [
      [say('widget.position_open_price'), price(figures.entry)],
      [say(figures.isClosed ? 'widget.position_close_price' : 'widget.position_mark'), price(figures.exit)],
      ...(time === null
        ? []
        : [[say(figures.isClosed ? 'widget.position_ended' : 'widget.position_opened'), format.dateTime(time)] as const]),
    ],
    qr: codeOf(link),
  }
  useEffect(() => {
    if (canvas.current && picture) draw(canvas.current, picture)
  })

  if (!picture) return <SkeletonShape shape="card" count={1} root={{ ...root }} />
  const words = [label, picture.name, picture.side, picture.gain, picture.profit, ...picture.facts.flat(), picture.simulated]
  const attempt = async (work: (canvas: HTMLCanvasElement) => Promise<string>) => {
    try {
      if (canvas.current) setTold(await work(canvas.current))
    } catch (error) {
      if (!isRefusal(error)) setTold(say('widget.card_failed'))
    }
  }
  const save = () =>
    attempt(async (drawn) => {
      download(await pngOf(drawn), fileOf(trade))
      return say('widget.card_saved')
    })
  const share = () =>
    attempt(async (drawn) => {
      const file = new File([await pngOf(drawn)], fileOf(trade), { type: 'image/png' })
      if (mayShare(file)) {
        await navigator.share({ files: [file], text: `${invite} ${link}` })
        return ''
      }
      download(file, file.name)
      return say('widget.card_saved')
    })
  const copy = () =>
    attempt(async (drawn) => {
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': pngOf(drawn) })])
      return say('widget.copied')
    })
  return (
    <div {...root} className={styles.share}>
      <canvas
        ref={canvas}
        className={styles.picture}
        role="img"
        aria-label={words.filter(Boolean).join(', ')}
        width={size.width}
        height={size.height}
      />
      <div className={styles.tools}>
        <PushButton
          label={say('widget.card_share')}
          icon="share-2"
          tone="primary"
          block
          root={{ 'data-part': 'share' }}
          onPress={() => void share()}
        />
        <PushButton
          label={say('widget.save_picture')}
          icon="download"
          size="sm"
          root={{ 'data-part': 'save' }}
          onPress={() => void save()}
        />
        {mayCopy() && (
          <PushButton label={say('widget.card_copy')} icon="copy" size="sm" root={{ 'data-part': 'copy' }} onPress={() => void copy()} />
        )}
        <PushButton
          label={say('widget.amounts_hide')}
          icon={hidden ? 'eye-off' : 'eye'}
          size="sm"
          pressed={hidden}
          root={{ 'data-part': 'hide' }}
          onPress={() => setHidden(!hidden)}
        />
      </div>
      <p className={styles.told} role="status">
        {told}
      </p>
    </div>
  )
}

/** A link that no code holds is left out; the picture has the invite code in words too. */
function codeOf(link: string): Drawn | undefined {
  try {
    return encode(link)
  } catch {
    return undefined
  }
}
