import { useMemo } from 'react'
import { wordsIn } from '#console/editor/document/known.ts'
import { readDocument, readTexts } from '#console/editor/document/read.ts'
import { useEditing } from '#console/editor/document/useEditing.tsx'
import { useWordLanguage } from '#console/editor/document/useWordLanguage.ts'
import { messageInWords, placeInWords } from '#console/editor/problems/problem-words.rules.ts'
import { areaOf } from '#console/io/sources.ts'
import { useWorkspace } from '#console/io/useWorkspace.ts'
import { useWords } from '#console/io/words.ts'
import type { LintProblem } from '#language/types/catalog.ts'

/** The message and the place of a problem, for operators. */
export function useProblemWords(): { messageOf(problem: LintProblem): string; placeOf(problem: LintProblem): string } {
  const say = useWords()
  const { files } = useWorkspace()
  const texts = useMemo(() => readTexts(files), [files])
  const [language] = useWordLanguage(Object.keys(texts))
  return useMemo(() => {
    const words = wordsIn(texts, language)
    const docOf = (file: string) => (areaOf(file) || files[file] === undefined ? undefined : readDocument(file, files[file]).value)
    return {
      messageOf: ({ file, message }) => messageInWords(message, docOf(file), say, words),
      placeOf: ({ file, pointer }) => placeInWords(docOf(file), pointer, say, words),
    }
  }, [files, texts, language, say])
}

/** Problems of a node that no form of one of its members shows. */
export function useOwnProblems(pointer: string, shownElsewhere: readonly string[]): readonly LintProblem[] {
  const { problems } = useEditing()
  return problems.filter((problem) => {
    if (problem.pointer === pointer) return true
    if (!problem.pointer.startsWith(`${pointer}/`)) return false
    const member = problem.pointer.slice(pointer.length + 1).split('/', 1)[0] ?? ''
    return !shownElsewhere.includes(member)
  })
}
