import styles from '#widgets/feed-notice/FeedNotice.module.css'

export function Simulated() {
  return (
    <div role="status" className={styles.place} data-notice="simulated">
      <span className={styles.pill} data-notice="simulated" aria-hidden="true">
        Simulated prices
      </span>
      <span className="visually-hidden">Simulated prices</span>
    </div>
  )
}
