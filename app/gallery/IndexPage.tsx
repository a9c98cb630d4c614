import { useMemo, useState } from 'react'
import { CaseFrame } from '#app/gallery/CaseFrame.tsx'
import { type Case, casesOf } from '#app/gallery/cases.ts'
import { allWidgets, examplesOf } from '#app/gallery/examples.ts'
import type { Switches } from '#app/gallery/switches.ts'
import { words } from '#app/gallery/words.ts'
import { searchForm } from '#contract/text.ts'

/** All widgets with their first example, searchable by name and purpose. */
export function IndexPage({ switches }: { switches: Switches }) {
  const [asked, setAsked] = useState('')
  const list = useMemo(
    () =>
      allWidgets.map((widget) => {
        const { about = '', examples } = examplesOf(widget.type)
        return { type: widget.type, about, first: casesOf(widget, examples)[0] as Case | undefined }
      }),
    [],
  )
  const wanted = searchForm(asked.trim())
  const shown = list.filter(({ type, about }) => type.includes(wanted) || searchForm(about).includes(wanted))
  const mode = switches.theme === 'light' ? 'light' : 'dark'
  return (
    <>
      <div className="g-find">
        <input
          type="search"
          aria-label={words.search}
          placeholder={words.search}
          value={asked}
          onChange={(event) => setAsked(event.target.value)}
        />
        <p className="g-quiet" role="status">
          {words.count(shown.length, list.length)}
        </p>
        <a href="#/functions">{words.functions}</a>
      </div>
      {shown.length === 0 && (
        <div className="g-none">
          <p>{words.none}</p>
          <button type="button" className="g-button" onClick={() => setAsked('')}>
            {words.clear}
          </button>
        </div>
      )}
      <ul className="g-cards">
        {shown.map(({ type, about, first }) => (
          <li key={type} className="g-card">
            <h2>
              <a href={`#/${type}`}>{type}</a>
            </h2>
            {about && <p className="g-quiet">{about}</p>}
            <div className="g-peek" inert>
              {first && <CaseFrame one={first} mode={mode} switches={{ words: switches.words, width: 0 }} />}
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}
