import { useLayoutEffect, useRef } from 'react'
import styles from '#widgets/parts/CleanHtml.module.css'
import { clean } from '#widgets/parts/clean.ts'

export default function CleanHtml({ html }: { html: string }) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => box.current?.replaceChildren(clean(html)), [html])
  return <div ref={box} className={styles.rich} />
}
