import { useEngineText } from '#renderer/widget-api.ts'
import styles from '#widgets/quote-list/QuoteList.module.css'
import { nextSort, type Sort, sortKeys } from '#widgets/quote-list/quote-list.rules.ts'

const words = { name: 'widget.chart_name', last: 'widget.chart_last_price', change: 'widget.chart_change_24h' } as const

/** Column headings that sort. */
export function SortBar({ sort, onSort }: { sort: Sort; onSort: (sort: Sort) => void }) {
  const say = useEngineText()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset brings a legend and looks that are not wanted here
    <div role="group" aria-label={say('widget.chart_sort_by')} className={styles.heads}>
      {sortKeys.map((key) => {
        const way = sort?.key === key ? (sort.falling ? 'falling' : 'rising') : undefined
        return (
          <button key={key} type="button" className={styles.head} data-key={key} data-way={way} onClick={() => onSort(nextSort(sort, key))}>
            <span>{say(words[key])}</span>
            <svg aria-hidden="true" viewBox="0 0 8 12" className={styles.arrows}>
              <path d="M4 1 7 5H1Z" />
              <path d="M4 11 1 7h6Z" />
            </svg>
            {way && (
              <span className="visually-hidden">
                {say(way === 'falling' ? 'widget.chart_sorted_falling' : 'widget.chart_sorted_rising')}
              </span>
            )}
          </button>
        )
      })}
    </div>
  )
}
