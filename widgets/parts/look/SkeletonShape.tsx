import styles from '#widgets/parts/look/SkeletonShape.module.css'

interface SkeletonShapeProps {
  shape?: 'lines' | 'row' | 'card' | 'chart' | 'block'
  /** How many lines, rows, cards … */
  count?: number
  root?: Record<string, unknown>
}

/** The shape of what is to come. Assistive technology hears of loading from the place itself, not from here. */
export function SkeletonShape({ shape = 'lines', count = shape === 'chart' || shape === 'block' ? 1 : 3, root }: SkeletonShapeProps) {
  return (
    <div {...root} className={styles.skeleton} data-shape={shape} aria-hidden="true">
      {Array.from({ length: count }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces are alike
        <div key={i} className={styles[shape]}>
          {shape === 'row' && <Row />}
        </div>
      ))}
    </div>
  )
}

function Row() {
  return (
    <>
      <i className={styles.disc} />
      <span className={styles.words}>
        <i />
        <i />
      </span>
      <i className={styles.value} />
    </>
  )
}
