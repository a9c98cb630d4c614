import { useLayoutEffect, useRef } from 'react'
import type { Branch } from '#renderer/inspector/tree.ts'

/** A frame around what a node draws, with its name; it follows scrolling and never takes a press. */
export function Highlight({ element, label }: { element: Element; label: Pick<Branch, 'id' | 'widget'> | undefined }) {
  const frame = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    let next = 0
    const follow = () => {
      const box = element.getBoundingClientRect()
      const style = frame.current?.style
      if (style) {
        style.translate = `${box.left}px ${box.top}px`
        style.width = `${box.width}px`
        style.height = `${box.height}px`
        style.setProperty('--label-top', box.top < 24 ? '0px' : '-22px')
      }
      next = requestAnimationFrame(follow)
    }
    follow()
    return () => cancelAnimationFrame(next)
  }, [element])
  return (
    <div ref={frame} className="i-highlight" aria-hidden="true">
      <span>
        {label?.id} · {label?.widget}
      </span>
    </div>
  )
}
