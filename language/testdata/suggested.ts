import { expect } from 'vitest'
import type { LintProblem } from '#language/catalog.ts'
import { applySuggestion } from '#language/suggestion.ts'
import { type Change, filesWith, lintFiles } from '#language/testdata/linted.ts'

/** Every name and every literal of a document in order, each with what it is. */
function tokensOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [`value ${JSON.stringify(value)}`]
  const parts = Object.entries(value).flatMap(([name, part]) => [...(Array.isArray(value) ? [] : [`name ${name}`]), ...tokensOf(part)])
  return ['(', ...parts, ')']
}

/** Puts a suggestion in place. @returns false where that is not offered */
export function changesOneName(change: Change, problem: LintProblem): boolean {
  const files = filesWith([change])
  const file = files.find((one) => one.file === problem.file)
  const text = file && applySuggestion(file.text, problem)
  if (!file || text === undefined) return false
  const [was, is] = [tokensOf(JSON.parse(file.text)), tokensOf(JSON.parse(text))]
  expect(is).toHaveLength(was.length)
  const different = is.filter((token, i) => token !== was[i])
  expect(different).toEqual([expect.stringContaining(problem.suggestion ?? '')])
  const after = lintFiles(files.map((one) => (one === file ? { ...one, text } : one)))
  expect(after.filter(({ message }) => message === problem.message)).toEqual([])
  return true
}
