import styles from '#console/parts/KeyHint.module.css'

/** `KeyHint keys="Ctrl+Z"`: keys as they stand on the keyboard. */
export function KeyHint({ keys }: { keys: string }) {
  return (
    <span className={styles.keys}>
      {keys.split('+').map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  )
}
