import { type CSSProperties, memo } from 'react'
import styles from '#widgets/parts/CoinMark.module.css'

/** A disc in the coin's own colour with its first letter. Decorative: the name stands beside it. */
export const CoinMark = memo(function CoinMark({ code }: { code: string }) {
  const colour = `var(--coin-${code.toLowerCase().replace(/[^a-z0-9]/g, '')}, var(--quiet))`
  return <span aria-hidden="true" className={styles.mark} data-letter={code.slice(0, 1)} style={{ '--mark': colour } as CSSProperties} />
})
