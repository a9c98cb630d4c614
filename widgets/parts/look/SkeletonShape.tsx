import styles from '#widgets/parts/look/SkeletonShape.module.css'

interface SkeletonShapeProps {
  shape?: 'lines' | 'row' | 'card' | 'chart' | 'plot' | 'bar' | 'block' | 'unsized'
  /** How many lines, rows, cards … */
  count?: number
  root?: Record<string, unknown>
}

/** Skeleton of content that loads. The place itself announces loading to assistive technology. */
export function SkeletonShape({
  shape = 'lines',
  count = shape === 'unsized' ? 5 : shape === 'lines' || shape === 'row' || shape === 'card' ? 3 : 1,
  root,
}: SkeletonShapeProps) {
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
