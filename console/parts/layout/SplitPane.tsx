import { type ReactNode, useRef, useState } from 'react'
import { useWords } from '#console/io/words.ts'
import styles from '#console/parts/layout/SplitPane.module.css'

interface SplitPaneProps {
  /** Key of the width in local storage. */
  id: string
  main: ReactNode
  /** The right part, whose width can be changed; null when collapsed. */
  side: ReactNode | null
  /** Px. */
  width?: number
  min?: number
  max?: number
}

/** Two parts side by side with a separator that pointer and arrow keys move; stacked on a narrow screen. */
export function SplitPane({ id, main, side, width = 420, min = 300, max = 900 }: SplitPaneProps) {
  const say = useWords()
  const key = `console.split.${id}`
  const [size, setSize] = useState(() => Number(localStorage.getItem(key)) || width)
  const frame = useRef<HTMLDivElement>(null)
  const shown = Math.min(Math.max(size, min), max)
  const take = (next: number) => {
    const kept = Math.round(Math.min(Math.max(next, min), max))
    setSize(kept)
    localStorage.setItem(key, String(kept))
  }
  const onPointerDown = (event: React.PointerEvent<HTMLDivElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId)
  }
  const onPointerMove = (event: React.PointerEvent<HTMLDivElement>) => {
    const box = frame.current?.getBoundingClientRect()
    if (box && event.currentTarget.hasPointerCapture(event.pointerId)) take(box.right - event.clientX)
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    const step = { ArrowLeft: 20, ArrowRight: -20 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    take(shown + step)
  }
  return (
    <div ref={frame} className={styles.frame}>
      <div className={styles.main}>{main}</div>
      {side !== null && (
        <>
          {/* biome-ignore lint/a11y/useSemanticElements: a bar that is drawn is no rule of a text */}
          <div
            role="separator"
            tabIndex={0}
            aria-orientation="vertical"
            aria-label={say('shell.resize')}
            aria-valuenow={shown}
            aria-valuemin={min}
            aria-valuemax={max}
            className={styles.bar}
            onPointerDown={onPointerDown}
            onPointerMove={onPointerMove}
            onKeyDown={onKeyDown}
          />
          <div className={styles.side} style={{ '--side': `${shown}px` } as React.CSSProperties}>
            {side}
          </div>
        </>
      )}
    </div>
  )
}
