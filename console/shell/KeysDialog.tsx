import { useEffect, useState } from 'react'
import { useWords } from '#console/io/words.ts'
import { Dialog } from '#console/parts/dialog/Dialog.tsx'
import styles from '#console/shell/KeysDialog.module.css'

const keys: readonly (readonly [keys: string, word: string])[] = [
  ['?', 'help'],
  ['G+S', 'start'],
  ['G+D', 'drafts'],
  ['G+R', 'releases'],
  ['/', 'search'],
  ['Ctrl+S', 'save'],
  ['Ctrl+Z', 'undo'],
  ['Ctrl+Shift+Z', 'redo'],
  ['Alt+↑', 'up'],
  ['Alt+↓', 'down'],
  ['Insert', 'insert'],
  ['Delete', 'remove'],
  ['Esc', 'close'],
]
const jumps: Record<string, string> = { s: '#/', d: '#/drafts', r: '#/releases' }
const jumpMs = 1_000

/** True while the user types, also inside an editor's shadow root. */
export function typing(event: Event): boolean {
  const [target] = event.composedPath()
  return target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}

/** `?` lists all shortcuts; G and a letter open a page; `/` focuses the search of the page. */
export function KeysDialog() {
  const say = useWords()
  const [open, setOpen] = useState(false)
  useEffect(() => {
    let begun = 0
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || typing(event)) return
      if (document.querySelector('[role=dialog]') && event.key !== '?') return
      const jump = Date.now() - begun < jumpMs ? jumps[event.key.toLowerCase()] : undefined
      begun = event.key.toLowerCase() === 'g' ? Date.now() : 0
      if (event.key === '?') setOpen((was) => !was)
      else if (event.key === '/') {
        const search = document.querySelector<HTMLInputElement>('main input[type=search]')
        if (!search) return
        event.preventDefault()
        search.focus()
      } else if (jump) location.hash = jump
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return (
    <Dialog open={open} onClose={() => setOpen(false)} title={say('shell.keys.title')}>
      <dl className={styles.keys}>
        {keys.map(([key, word]) => (
          <div key={key}>
            <dt>
              <KeyHint keys={key} />
            </dt>
            <dd>{say(`shell.keys.${word}`)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

/** Keys as they stand on the keyboard: `Ctrl+Z`. */
function KeyHint({ keys }: { keys: string }) {
  return (
    <span className={styles.hint}>
      {keys.split('+').map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  )
}
