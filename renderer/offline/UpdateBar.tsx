import { useState, useSyncExternalStore } from 'react'
import type { Update } from '#renderer/offline/update.ts'

interface UpdateWords {
  ready: string
  reload: string
  later: string
}

/** Tells that a newer build is here. It waits for an answer and is in nobody's way; after "later" it comes with the next start. */
export function UpdateBar({
  update,
  words,
  language,
}: {
  update: Update
  words: () => UpdateWords
  language: (wake: () => void) => () => void
}) {
  const ready = useSyncExternalStore(update.subscribe, update.ready)
  const [declined, setDeclined] = useState(false)
  const [taking, setTaking] = useState(false)
  // Words are read anew when the customer changes the language.
  useSyncExternalStore(language, () => words().ready)
  const shown = ready && !declined
  const take = () => {
    setTaking(true)
    update.take()
  }
  return (
    <div className="update" role="status">
      {shown && (
        <>
          <span className="update-text">{words().ready}</span>
          <button type="button" className="update-later" onClick={() => setDeclined(true)}>
            {words().later}
          </button>
          <button type="button" className="update-take" aria-busy={taking || undefined} disabled={taking} onClick={take}>
            {words().reload}
          </button>
        </>
      )}
    </div>
  )
}
