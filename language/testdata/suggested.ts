import { applySuggestion } from '#language/edit/suggestion.ts'
import { type Change, filesWith, lintFiles } from '#language/testdata/linted.ts'
import { printText } from '#language/text/json-text.ts'
import type { LintProblem } from '#language/types/catalog.ts'

/** Every name and every literal of a document in order, each with what it is. */
function tokensOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [`value ${JSON.stringify(value)}`]
  const parts = Object.entries(value).flatMap(([name, part]) => [...(Array.isArray(value) ? [] : [`name ${name}`]), ...tokensOf(part)])
  return ['(', ...parts, ')']
}

/**
 * Puts a suggestion in place.
 * @returns the names and values that became others (all, where their number is another) and the problems of the same words that are left; undefined
 * where the suggestion cannot be put in place
 */
export function afterSuggestion(change: Change, problem: LintProblem): { different: string[]; left: LintProblem[] } | undefined {
  const files = filesWith([change])
  const file = files.find((one) => one.file === problem.file)
  const text = file && applySuggestion(file.text, problem)
  if (!file || text === undefined) return undefined
  const [was, is] = [tokensOf(JSON.parse(printText(JSON.parse(file.text)))), tokensOf(JSON.parse(text))]
  const different = was.length === is.length ? is.filter((token, i) => token !== was[i]) : is
  const left = lintFiles(files.map((one) => (one === file ? { ...one, text } : one))).filter(({ message }) => message === problem.message)
  return { different, left }
}
