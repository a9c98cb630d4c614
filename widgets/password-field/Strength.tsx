import { useEffect, useState } from 'react'
import { useEngineText } from '#renderer/widget-api.ts'
import styles from '#widgets/password-field/Strength.module.css'
import { type Strength as Level, strengthOf } from '#widgets/password-field/strength.rules.ts'

const settleMs = 250

/** Strength of a password as a bar and in words. Measured after a pause in typing, so that input is not slowed down. */
export default function Strength({ text }: { text: string }) {
  const say = useEngineText()
  const [level, setLevel] = useState<Level>()
  useEffect(() => {
    const timer = setTimeout(() => setLevel(strengthOf(text)), settleMs)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <div className={styles.strength} data-level={level}>
      <span className={styles.bar} aria-hidden="true">
        <i />
        <i />
        <i />
        <i />
      </span>
      <span className={styles.words} role="status">
        {level === undefined ? '' : say('widget.strength', { level: say(`widget.strength_${level}`) })}
        {level !== undefined && level < 3 && ` ${say('widget.strength_tip')}`}
      </span>
    </div>
  )
}
