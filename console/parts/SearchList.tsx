import { Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { SearchInput } from '#console/parts/SearchInput.tsx'
import styles from '#console/parts/SearchList.module.css'

interface SearchRow {
  key: string
  title: ReactNode
  about: ReactNode
  choose(): void
}
interface SearchListProps {
  /** Name and placeholder of the search field. */
  label: string
  wanted: string
  onWanted(text: string): void
  /** The results, best first; Enter chooses the first. */
  rows: readonly SearchRow[]
  /** Shown without a result. */
  nothing: string
  /** Cards in columns in place of lines. */
  cards?: boolean
  /** Between the results and the sentence that there are none. */
  children?: ReactNode
}

/** A search field that has the focus, and its results to press. */
export function SearchList({ label, wanted, onWanted, rows, nothing, cards = false, children }: SearchListProps) {
  return (
    <>
      <div className={styles.search}>
        <Search size={15} aria-hidden />
        <SearchInput
          autoFocus
          aria-label={label}
          placeholder={label}
          value={wanted}
          onSearch={onWanted}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
            event.preventDefault()
            rows[0]?.choose()
          }}
        />
      </div>
      {rows.length > 0 && (
        <ul className={cards ? styles.cards : styles.lines}>
          {rows.map(({ key, title, about, choose }) => (
            <li key={key}>
              <button type="button" className={styles.option} onClick={choose}>
                <span>{title}</span> <span className={styles.about}>{about}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {children}
      {rows.length === 0 && <p className="quiet">{nothing}</p>}
    </>
  )
}
