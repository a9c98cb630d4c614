import { Dialog } from '@base-ui/react/dialog'
import { type CSSProperties, type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { useEngineText, useLayer } from '#renderer/widget-api.ts'
import styles from '#widgets/parts/LargePicture.module.css'
import { classes } from '#widgets/parts/look/classes.ts'
import { Icon } from '#widgets/parts/look/Icon.tsx'
import { type LookStep, looked, moved, sideways, stepOfKey, straight } from '#widgets/parts/look/look.rules.ts'

interface LargePictureProps {
  pictures: readonly { id: string; src: string }[]
  at: number
  nameOf: (at: number) => string
  show: (at: number) => void
  close: () => void
}

/** One picture over the whole page. Keys: arrows for the next, R and L rotate, + − and 0 zoom, Escape closes. */
export default function LargePicture({ pictures, at, nameOf, show, close }: LargePictureProps) {
  const say = useEngineText()
  useLayer(true, close)
  const [look, setLook] = useState(straight)
  const [factor, setFactor] = useState(1)
  const room = useRef<HTMLDivElement>(null)
  const picture = useRef<HTMLImageElement>(null)
  const held = useRef<{ x: number; y: number } | undefined>(undefined)
  const several = pictures.length > 1
  const measure = () => {
    const [inner, outer] = [picture.current, room.current]
    if (inner && outer)
      setFactor(
        sideways({ width: inner.offsetWidth, height: inner.offsetHeight }, { width: outer.clientWidth, height: outer.clientHeight }),
      )
  }
  const step = (which: LookStep) => {
    measure()
    setLook((before) => looked(before, which))
  }
  const turnTo = (by: number) => {
    if (!several) return
    setLook(straight)
    show((at + by + pictures.length) % pictures.length)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const what = stepOfKey(event.key)
    if (!what) return
    event.preventDefault()
    if (what === 'next') turnTo(1)
    else if (what === 'previous') turnTo(-1)
    else step(what)
  }
  const onMove = (event: PointerEvent) => {
    const from = held.current
    if (!from) return
    held.current = { x: event.clientX, y: event.clientY }
    setLook((before) => moved(before, event.clientX - from.x, event.clientY - from.y))
  }
  const scale = look.zoom * (look.turn % 180 === 0 ? 1 : factor)
  const tool = (label: string, icon: string, press: () => void) => (
    <button type="button" className={classes('pressable', styles.tool)} aria-label={label} title={label} onClick={press}>
      <Icon name={icon} />
    </button>
  )
  return (
    <Dialog.Root open onOpenChange={(next) => !next && close()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.veil} />
        <Dialog.Popup className={styles.large} onKeyDown={onKey}>
          <div className={styles.tools}>
            <Dialog.Title className={styles.title}>{nameOf(at)}</Dialog.Title>
            {several && tool(say('widget.previous'), 'chevron-left', () => turnTo(-1))}
            {several && tool(say('widget.next'), 'chevron-right', () => turnTo(1))}
            {tool(say('widget.picture_left'), 'rotate-ccw', () => step('left'))}
            {tool(say('widget.picture_right'), 'rotate-cw', () => step('right'))}
            {tool(say('widget.picture_smaller'), 'minus', () => step('smaller'))}
            {tool(say('widget.picture_larger'), 'plus', () => step('larger'))}
            <Dialog.Close className={classes('pressable', styles.tool)} aria-label={say('widget.close')} title={say('widget.close')}>
              <Icon name="x" />
            </Dialog.Close>
          </div>
          <div
            ref={room}
            className={styles.room}
            data-zoomed={look.zoom > 1 || undefined}
            onPointerDown={(event) => {
              held.current = { x: event.clientX, y: event.clientY }
              event.currentTarget.setPointerCapture(event.pointerId)
            }}
            onPointerMove={onMove}
            onPointerUp={() => {
              held.current = undefined
            }}
            onPointerCancel={() => {
              held.current = undefined
            }}
          >
            <img
              ref={picture}
              className={styles.picture}
              src={pictures[at]?.src}
              alt={nameOf(at)}
              draggable={false}
              style={{ '--look': `translate(${look.x}px, ${look.y}px) rotate(${look.turn}deg) scale(${scale})` } as CSSProperties}
            />
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
