import useEmblaCarousel from 'embla-carousel-react'
import { useEffect, useEffectEvent } from 'react'
import { useReducedMotion } from '#widgets/parts/useReducedMotion.ts'

export interface CarouselMotion {
  next(): void
  previous(): void
}

interface MotionProps {
  viewport: HTMLElement
  onReady: (motion: CarouselMotion | undefined) => void
  onSelect: (index: number) => void
}

/** Adds motion to an existing viewport. Renders nothing. */
export default function Motion({ viewport, onReady, onSelect }: MotionProps): null {
  const reduced = useReducedMotion()
  const [connect, embla] = useEmblaCarousel({ loop: true, duration: 24 })
  const ready = useEffectEvent(onReady)
  const select = useEffectEvent(onSelect)
  useEffect(() => {
    connect(viewport)
    return () => connect(null)
  }, [connect, viewport])
  useEffect(() => {
    if (!embla) return
    const tell = () => select(embla.selectedScrollSnap())
    ready({ next: () => embla.scrollNext(reduced), previous: () => embla.scrollPrev(reduced) })
    embla.on('select', tell).on('reInit', tell)
    return () => {
      embla.off('select', tell).off('reInit', tell)
      ready(undefined)
    }
  }, [embla, reduced])
  return null
}
