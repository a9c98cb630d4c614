import { Icon } from '#widgets/parts/look/Icon.tsx'
import styles from '#widgets/tab-bar/TabBar.module.css'

const tabs = [
  { icon: 'house', label: 'Home', to: '#/', market: false },
  { icon: 'trending-up', label: 'Markets', to: '#/pages/market/market', market: true },
  { icon: 'chart-candlestick', label: 'Trade', to: '#/pages/transaction/index', market: undefined },
]

export function TabBar({ market }: { market: boolean }) {
  return (
    <nav className={styles.bar} aria-label="Main sections">
      <ul className={styles.list}>
        {tabs.map((tab) => (
          <li key={tab.to} className={styles.item}>
            <a className={`pressable ${styles.tab}`} href={tab.to} aria-current={tab.market === market ? 'page' : undefined}>
              <Icon name={tab.icon} size={22} />
              <span className={styles.label}>{tab.label}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
