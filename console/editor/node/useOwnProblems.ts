import { useEditing } from '#console/editor/document/useEditing.tsx'
import type { LintProblem } from '#language/types/catalog.ts'

/** Problems of a thing that none of its members with a form of their own shows. */
export function useOwnProblems(pointer: string, shownElsewhere: readonly string[]): readonly LintProblem[] {
  const { problems } = useEditing()
  return problems.filter((problem) => {
    if (problem.pointer === pointer) return true
    if (!problem.pointer.startsWith(`${pointer}/`)) return false
    const member = problem.pointer.slice(pointer.length + 1).split('/', 1)[0] ?? ''
    return !shownElsewhere.includes(member)
  })
}
