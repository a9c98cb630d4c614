import { Fragment, type ReactNode, useId, useRef, useState } from 'react'
import styles from '#console/editor/conditions/Conditions.module.css'
import { found, type Subject } from '#console/editor/conditions/subjects.rules.ts'
import { useWords } from '#console/io/words.ts'
import { TextInput } from '#console/parts/Field.tsx'

interface SubjectPickerProps {
  label: string
  subjects: readonly Subject[]
  path: string
  disabled: boolean
  onChoose(path: string): void
}

const shownMax = 60
const readable = /^[A-Za-z_]\w*(?:\.[A-Za-z_0-9-]+|\[[\w.]+\])+$/

/** A list that opens below the edge of its pane is scrolled into it. */
const intoView = (list: HTMLElement | null) => list?.scrollIntoView?.({ block: 'nearest' })

/** Picks the subject of a condition by its label, its path or a word that means it: "verified" finds the identity level. */
export function SubjectPicker({ label, subjects, path, disabled, onChoose }: SubjectPickerProps) {
  const say = useWords()
  const list = useId()
  const box = useRef<HTMLDivElement>(null)
  const [typed, setTyped] = useState<string | null>(null)
  const [at, setAt] = useState(0)
  const chosen = subjects.find((one) => one.path === path)
  const suiting = typed === null ? [] : found(subjects, typed)
  const own = typed !== null && readable.test(typed.trim()) && !subjects.some((one) => one.path === typed.trim()) ? typed.trim() : null
  const shown = suiting.slice(0, shownMax)
  const choose = (next: string) => {
    onChoose(next)
    setTyped(null)
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (typed === null) {
      if (event.key === 'ArrowDown') setTyped('')
      return
    }
    const acts: Record<string, () => void> = {
      ArrowDown: () => setAt(Math.min(at + 1, shown.length - 1)),
      ArrowUp: () => setAt(Math.max(at - 1, 0)),
      Enter: () => {
        const next = shown[at]?.path ?? own
        if (next) choose(next)
      },
      Escape: () => setTyped(null),
    }
    const act = acts[event.key]
    if (!act) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }
  return (
    <div ref={box} className={styles.picker}>
      <TextInput
        role="combobox"
        aria-label={label}
        aria-expanded={typed !== null}
        aria-controls={list}
        aria-activedescendant={typed !== null && shown[at] ? `${list}-${at}` : undefined}
        placeholder={say('conditions.subject_choose')}
        title={path || undefined}
        disabled={disabled}
        value={typed ?? chosen?.label ?? path}
        onFocus={() => {
          setTyped('')
          setAt(0)
        }}
        onClick={() => setTyped(typed ?? '')}
        onBlur={() => setTimeout(() => box.current?.contains(document.activeElement) || setTyped(null), 150)}
        onChange={(event) => {
          setTyped(event.target.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
      />
      {typed !== null && (
        <div id={list} ref={intoView} role="listbox" aria-label={label} className={styles.found}>
          {shown.map((subject, i) => (
            <Fragment key={subject.path}>
              {subject.group !== shown[i - 1]?.group && <p className={styles.group}>{say(`conditions.group_${subject.group}`)}</p>}
              <Option id={`${list}-${i}`} selected={i === at} choose={() => choose(subject.path)}>
                <span>{subject.label}</span> <span className={styles.path}>{subject.path}</span>
              </Option>
            </Fragment>
          ))}
          {own !== null && (
            <Option id={`${list}-own`} selected={shown.length === 0} choose={() => choose(own)}>
              {say('conditions.subject_own', { path: own })}
            </Option>
          )}
          {shown.length === 0 && own === null && <p className={styles.none}>{say('conditions.subject_none')}</p>}
          {suiting.length > shown.length && (
            <p className={styles.none}>{say('conditions.subject_more', { count: suiting.length - shown.length })}</p>
          )}
        </div>
      )}
    </div>
  )
}

function Option({ id, selected, choose, children }: { id: string; selected: boolean; choose(): void; children: ReactNode }) {
  return (
    <button
      type="button"
      role="option"
      id={id}
      tabIndex={-1}
      aria-selected={selected}
      className={styles.subject}
      onMouseDown={(event) => event.preventDefault()}
      onClick={choose}
    >
      {children}
    </button>
  )
}
