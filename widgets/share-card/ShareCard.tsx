import { useEffect, useRef, useState } from 'react'
import { useEngineText, useFormat, useQuote, type ViewProps } from '#renderer/widget-api.ts'
import { download } from '#widgets/parts/download.ts'
import { SkeletonShape } from '#widgets/parts/look/SkeletonShape.tsx'
import { PushButton } from '#widgets/parts/PushButton.tsx'
import { type Drawn, encode } from '#widgets/parts/qr/encode.ts'
import { directionOf } from '#widgets/parts/values/change.rules.ts'
import { durationWords } from '#widgets/parts/values/durationWords.ts'
import { liveAmounts } from '#widgets/parts/values/live.rules.ts'
import { signedParts } from '#widgets/parts/values/money.rules.ts'
import { draw, type Picture, pngOf, size } from '#widgets/share-card/picture.ts'
import styles from '#widgets/share-card/ShareCard.module.css'
import type { ShareCardProps, Trade } from '#widgets/share-card/share-card.props.ts'
import { amountsOf, fileOf, isOption } from '#widgets/share-card/trade.rules.ts'

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
  const [status, setStatus] = useState('')
  const canvas = useRef<HTMLCanvasElement>(null)
  const live = quote && !isOption(trade) && liveAmounts(trade, quote.last, tick)
  const amounts = amountsOf(trade, live ? { mark: quote.last, ...live } : undefined)

  const price = (text: string) => format.price(text, tick)
  const signed = (text: string, write: (size: string) => string) => {
    const parts = signedParts(text)
    return parts.sign + write(parts.size)
  }
  const words = wordsOf(trade, amounts?.isClosed ?? false, say)
  const picture: Picture | undefined = amounts && {
    brand,
    invite,
    code,
    name: trade.name,
    simulated: simulated ? say('widget.chart_simulated') : undefined,
    side: words.side,
    sideTone: words.sideTone,
    gainLabel: words.gain,
    tone: directionOf(amounts.gain),
    gain: signed(amounts.gain, format.percent),
    profit: hidden ? undefined : `${signed(amounts.result, (text) => format.amount(text, { min: 2, max: 2 }))} ${trade.currency_code}`,
    facts: [
      [words.entry, price(amounts.entry)],
      [words.exit, price(amounts.exit)],
      ...(typeof words.time !== 'number' ? [] : [[words.ended, format.dateTime(words.time)] as const]),
    ],
    qr: codeOf(link),
  }
  useEffect(() => {
    if (canvas.current && picture) draw(canvas.current, picture)
  })

  if (!picture) return <SkeletonShape shape="card" count={1} root={{ ...root }} />
  const spoken = [label, picture.name, picture.side, picture.gain, picture.profit, ...picture.facts.flat(), picture.simulated]
  const attempt = async (work: (canvas: HTMLCanvasElement) => Promise<string>) => {
    try {
      if (canvas.current) setStatus(await work(canvas.current))
    } catch (error) {
      if (!isRefusal(error)) setStatus(say('widget.card_failed'))
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
        aria-label={spoken.filter(Boolean).join(', ')}
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
      <p className={styles.status} role="status">
        {status}
      </p>
    </div>
  )
}

interface TradeWords extends Pick<Picture, 'side' | 'sideTone'> {
  gain: string
  entry: string
  exit: string
  /** Label of the time. */
  ended: string
  time: number | null
}

/** Returns the words of the picture about the kind of trade. */
function wordsOf(trade: Trade, isClosed: boolean, say: ReturnType<typeof useEngineText>): TradeWords {
  if (isOption(trade)) {
    return {
      side: `${say(`widget.option_${trade.type}`)} · ${durationWords(trade.seconds, say)}`,
      sideTone: trade.type,
      gain: say('widget.card_gain_stake'),
      entry: say('widget.option_open'),
      exit: say('widget.option_settle'),
      ended: say('widget.card_settled'),
      time: trade.settled,
    }
  }
  const state = isClosed ? 'closed' : 'open'
  return {
    side: `${say(`widget.position_${trade.side}`)} ×${trade.multiple}`,
    sideTone: trade.side === 'long' ? 'up' : 'down',
    gain: say(`widget.card_gain_${state}`),
    entry: say('widget.position_open_price'),
    exit: say(isClosed ? 'widget.position_exit_price' : 'widget.position_mark'),
    ended: say(isClosed ? 'widget.position_ended' : 'widget.position_opened'),
    time: isClosed ? trade.ended : trade.opened,
  }
}

/** A link that no code holds is left out; the picture has the invite code in words too. */
function codeOf(link: string): Drawn | undefined {
  try {
    return encode(link)
  } catch {
    return undefined
  }
}
