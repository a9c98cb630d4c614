import { useRef, useState } from 'react'
import { useSubjects } from '#console/editor/conditions/useSubjects.ts'
import { useEditing } from '#console/editor/document/useEditing.tsx'
import { messageInWords } from '#console/editor/problems/problem-words.rules.ts'
import { type Hint, hintsAt } from '#console/editor/values/hints.rules.ts'
import styles from '#console/editor/values/LogicInput.module.css'
import { useWords } from '#console/io/words.ts'
import { type ControlProps, TextArea } from '#console/parts/Field.tsx'
import { toText } from '#language/text/infix.ts'
import { parseLogic } from '#language/text/logic-text.ts'

interface LogicInputProps {
  control: ControlProps
  pointer: string
  /** Expression text, or the JSON-Logic tree of an older document. */
  logic: unknown
  onChange(text: string): void
}

const hintsMax = 8

/** Input of an expression: `form.amount <= data.info.available and session.kyc >= 1`. Typing changes the document at once, even while the text is an error. */
export function LogicInput({ control, pointer, logic, onChange }: LogicInputProps) {
  const say = useWords()
  const { pathsAt, typesAt, editable, known } = useEditing()
  const typed = typeof logic === 'string' ? logic : logic === undefined ? '' : toText(logic)
  const [caret, setCaret] = useState<number | null>(null)
  const area = useRef<HTMLTextAreaElement>(null)
  const parsed = typed.trim() === '' ? null : parseLogic(typed)
  const invalid = parsed?.ok !== true
  const problem = parsed && !parsed.ok ? parsed.problem : null
  const subjects = useSubjects(pointer)
  const hints =
    caret === null ? [] : hintsAt(typed.slice(0, caret), typesAt(pointer), subjects, (word) => pathsAt(pointer, word)).slice(0, hintsMax)

  const complete = ({ insert, from }: Hint) => {
    if (caret === null) return
    onChange(typed.slice(0, from) + insert + typed.slice(caret))
    setCaret(from + insert.length)
    requestAnimationFrame(() => {
      area.current?.focus()
      area.current?.setSelectionRange(from + insert.length, from + insert.length)
    })
  }
  const noteId = `${control.id}-logic`
  return (
    <div className={styles.logic}>
      <TextArea
        {...control}
        ref={area}
        className="mono"
        rows={Math.min(6, Math.max(1, Math.ceil(typed.length / 52), typed.split('\n').length))}
        spellCheck={false}
        value={typed}
        disabled={!editable}
        placeholder={say('editor.logic_example')}
        aria-invalid={invalid ? true : undefined}
        aria-describedby={noteId}
        onChange={(event) => {
          onChange(event.target.value)
          setCaret(event.target.selectionStart)
        }}
        onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
        onBlur={() => setTimeout(() => setCaret(null), 150)}
        onKeyDown={(event) => {
          if (event.key !== 'Tab' || event.shiftKey || !hints[0]) return
          event.preventDefault()
          complete(hints[0])
        }}
      />
      {hints.length > 0 && (
        <ul className={styles.hints} aria-label={say('editor.logic_hints')}>
          {hints.map((hint) => (
            <li key={hint.insert}>
              <button
                type="button"
                tabIndex={-1}
                className={styles.hint}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => complete(hint)}
              >
                {hint.insert} <span>{hint.detail}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <div id={noteId} aria-live="polite">
        {problem && (
          <p className={styles.problem}>
            <code className={styles.around}>
              {typed.slice(Math.max(0, problem.from - 18), problem.from)}
              <mark>{typed.slice(problem.from, problem.to) || '·'}</mark>
              {typed.slice(problem.to, problem.to + 12)}
            </code>
            {messageInWords(problem.message, undefined, say, known.words)}
            {problem.suggestion !== undefined && (
              <button
                type="button"
                className="link"
                onClick={() => onChange(typed.slice(0, problem.from) + problem.suggestion + typed.slice(problem.to))}
              >
                {say('editor.did_you_mean', { name: problem.suggestion })}
              </button>
            )}
          </p>
        )}
      </div>
    </div>
  )
}
