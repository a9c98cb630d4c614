import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { lazy, useEngineText, type ViewProps } from '#renderer/widget-api.ts'
import styles from '#widgets/carousel/Carousel.module.css'
import type { CarouselProps } from '#widgets/carousel/carousel.props.ts'
import type { CarouselMotion } from '#widgets/carousel/Motion.tsx'
import { SkeletonShape } from '#widgets/parts/look/SkeletonShape.tsx'
import { PushButton } from '#widgets/parts/PushButton.tsx'
import { useRotation } from '#widgets/parts/useRotation.ts'

const Motion = lazy(() => import('#widgets/carousel/Motion.tsx'))

/** Delay of the motion code: the first slide is read meanwhile, and the first paint is done. */
const motionAfterMs = 2_000

/** The slides are rendered at once; the motion code is loaded later and takes over the same elements. */
export function Carousel({ root, props, status, slots }: ViewProps<CarouselProps, never, 'slide'>) {
  const { label, autoplayMs = 0 } = props
  const { slide } = slots
  const say = useEngineText()
  const [viewport, setViewport] = useState<HTMLElement | null>(null)
  const [motion, setMotion] = useState<CarouselMotion>()
  const [selected, setSelected] = useState(0)
  const several = slide.count > 1
  const [wanted, setWanted] = useState(false)
  const asked = useRef<(motion: CarouselMotion) => void>(undefined)
  /** Requests before the motion code is loaded are carried out afterwards. */
  const move = (run: (motion: CarouselMotion) => void) => {
    if (motion) return run(motion)
    asked.current = run
    setWanted(true)
  }
  const ready = (made: CarouselMotion | undefined) => {
    setMotion(made)
    if (!made) return
    asked.current?.(made)
    asked.current = undefined
  }
  useEffect(() => {
    const timer = setTimeout(() => setWanted(true), motionAfterMs)
    return () => clearTimeout(timer)
  }, [])
  const rotation = useRotation(several ? autoplayMs : 0, () => motion?.next())
  if (slide.count === 0) return status === 'loading' ? <SkeletonShape shape="card" count={1} root={{ ...root }} /> : null
  const keys = (event: KeyboardEvent) => {
    if (event.key === 'ArrowRight') move((m) => m.next())
    else if (event.key === 'ArrowLeft') move((m) => m.previous())
    else return
    event.preventDefault()
  }
  return (
    <section
      {...root}
      className={styles.carousel}
      aria-roledescription={say('widget.carousel')}
      aria-label={label}
      onKeyDown={keys}
      {...rotation.hold}
    >
      <div ref={setViewport} className={styles.viewport} onPointerEnter={() => setWanted(true)}>
        <div className={styles.track}>
          {Array.from({ length: slide.count }, (_, i) => (
            // biome-ignore lint/a11y/useSemanticElements: a slide is a group, not a fieldset
            <div
              key={slide.keyAt(i)}
              className={styles.slide}
              role="group"
              aria-label={say('widget.slide', { n: i + 1, total: slide.count })}
            >
              {slide.render(i)}
            </div>
          ))}
        </div>
      </div>
      {several && (
        <div className={styles.controls}>
          <span className={styles.dots} aria-hidden="true">
            {Array.from({ length: slide.count }, (_, i) => (
              <i key={slide.keyAt(i)} data-on={i === selected || undefined} />
            ))}
          </span>
          {autoplayMs > 0 && (
            <PushButton
              {...bare}
              label={say(rotation.moves ? 'widget.pause' : 'widget.play')}
              icon={rotation.moves ? 'pause' : 'play'}
              onPress={rotation.moves ? rotation.stop : rotation.start}
            />
          )}
          <PushButton {...bare} label={say('widget.previous')} icon="chevron-left" onPress={() => move((m) => m.previous())} />
          <PushButton {...bare} label={say('widget.next')} icon="chevron-right" onPress={() => move((m) => m.next())} />
        </div>
      )}
      {wanted && viewport && several && <Motion viewport={viewport} onReady={ready} onSelect={setSelected} />}
    </section>
  )
}

const bare = { tone: 'quiet', size: 'sm', hideLabel: true } as const
