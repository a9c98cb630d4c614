import { Check } from 'lucide-react'
import styles from '#console/editor/problems/Problems.module.css'
import { useProblemWords } from '#console/editor/problems/useProblemWords.ts'
import { useWorkspace } from '#console/io/useWorkspace.ts'
import { useWords } from '#console/io/words.ts'
import { applySuggestion } from '#language/edit/suggestion.ts'
import type { LintProblem } from '#language/types/catalog.ts'

/** What the checks say of one place; the nearest right name goes in with one press. */
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

/** "did you mean": puts the nearest right name in place, where it is plain what it replaces. */
export function Suggestion({ problem }: { problem: LintProblem }) {
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
