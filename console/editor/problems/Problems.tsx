import { Check, ChevronDown, ChevronUp, CircleCheck } from 'lucide-react'
import { useState } from 'react'
import styles from '#console/editor/problems/Problems.module.css'
import { useProblemWords } from '#console/editor/problems/useProblems.ts'
import { useWorkspace } from '#console/io/useWorkspace.ts'
import { useWords } from '#console/io/words.ts'
import { applySuggestion } from '#language/edit/suggestion.ts'
import type { LintProblem } from '#language/types/catalog.ts'

/** The problems at one pointer; one press applies the suggested name. */
export function ProblemLines({ problems }: { problems: readonly LintProblem[] }) {
  const { messageOf } = useProblemWords()
  if (problems.length === 0) return null
  return (
    <ul className={styles.lines}>
      {problems.map((problem) => (
        <li key={`${problem.check} ${problem.pointer} ${problem.message}`} data-severity={problem.severity}>
          {messageOf(problem)} <Suggestion problem={problem} />
        </li>
      ))}
    </ul>
  )
}

/** "Did you mean": applies the suggested name where it is clear what it replaces. */
function Suggestion({ problem }: { problem: LintProblem }) {
  const say = useWords()
  const { files, edit, editable } = useWorkspace()
  if (problem.suggestion === undefined) return null
  const text = files[problem.file]
  const next = text === undefined || !editable ? undefined : applySuggestion(text, problem)
  if (next === undefined) return <span className={styles.hint}>{say('editor.did_you_mean', { name: problem.suggestion })}</span>
  return (
    <button
      type="button"
      className={styles.suggestion}
      onClick={(event) => {
        event.stopPropagation()
        edit(problem.file, next)
      }}
    >
      <Check size={13} aria-hidden />
      {say('editor.did_you_mean', { name: problem.suggestion })}
    </button>
  )
}

const shownMax = 200

/** All problems of the draft, those of the open document first. A press opens the place. */
export function ProblemsPanel({ path, go }: { path: string; go(problem: LintProblem): void }) {
  const say = useWords()
  const { problems, checking, broken } = useWorkspace()
  const { messageOf, placeOf } = useProblemWords()
  const [open, setOpen] = useState(false)
  const rank = ({ file, severity }: LintProblem) => (file === path ? 0 : 2) + (severity === 'error' ? 0 : 1)
  const sorted = problems.toSorted((a, b) => rank(a) - rank(b))
  const errors = problems.filter(({ severity }) => severity === 'error').length
  const here = problems.filter(({ file }) => file === path).length
  const failure = broken.problems ?? broken.prepared
  const Chevron = open ? ChevronDown : ChevronUp
  return (
    <section className={styles.panel} aria-label={say('editor.problems')}>
      <button type="button" className={styles.summary} aria-expanded={open} onClick={() => setOpen(!open)}>
        {problems.length === 0 && failure === undefined ? (
          <CircleCheck size={16} aria-hidden />
        ) : (
          <span className={styles.mark} data-severity={errors > 0 || failure !== undefined ? 'error' : 'warn'} />
        )}
        <span aria-live="polite">
          {failure !== undefined
            ? say('editor.problems_failed', { reason: failure })
            : problems.length === 0
              ? say(checking ? 'editor.problems_checking' : 'editor.problems_none')
              : say('editor.problems_count', { errors, warnings: problems.length - errors, here })}
        </span>
        <Chevron size={16} aria-hidden />
      </button>
      {open && (
        <ul className={styles.list}>
          {sorted.slice(0, shownMax).map((problem, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two checks may say the same of one place
            <li key={`${problem.file} ${problem.pointer} ${i}`} className={styles.row}>
              <button type="button" className={styles.go} onClick={() => go(problem)}>
                <span className={styles.mark} data-severity={problem.severity} />
                <span>{messageOf(problem)}</span>
                <span className={styles.where}>
                  {problem.file === path ? '' : problem.file.replace(/^schemas\//, '')}{' '}
                  {placeOf(problem) || say('editor.line', { line: problem.line })}
                </span>
              </button>
              <Suggestion problem={problem} />
            </li>
          ))}
          {sorted.length > shownMax && <li className={styles.row}>{say('editor.problems_more', { count: sorted.length - shownMax })}</li>}
        </ul>
      )}
    </section>
  )
}
