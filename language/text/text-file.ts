import { parse as parseJson } from 'jsonc-parser'
import { below, lineOf, lineOfSyntax, outline } from '#language/text/position.ts'
import type { LintProblem } from '#language/types/catalog.ts'

/**
 * One text file, read. A syntax error, such as a missing comma, is the only problem of its file, and the texts around it are still read, so
 * that other files find them.
 * @returns what could be read, and problems with their places
 */
export function readWords(
  file: string,
  text: string,
): { tree: Record<string, unknown>; flat: Record<string, string>; problems: LintProblem[] } {
  const problems: LintProblem[] = []
  const problem = (pointer: string, line: number, message: string) =>
    void problems.push({ check: 'texts', severity: 'error', file, line, pointer, message })
  const { lines, problem: syntax } = outline(text)
  if (syntax) problem(syntax.pointer, syntax.line, syntax.message)
  let tree: unknown
  let isBroken = false
  try {
    tree = JSON.parse(text)
  } catch (error) {
    const { message } = error as Error
    if (syntax) return { tree: {}, flat: {}, problems }
    problem('', lineOfSyntax(text, message), `not JSON: ${message}`)
    tree = parseJson(text, [], { disallowComments: true })
    isBroken = true
  }
  if (tree === null || typeof tree !== 'object' || Array.isArray(tree)) {
    if (!isBroken) problem('', 1, 'must be an object of texts by key')
    return { tree: {}, flat: {}, problems }
  }
  const flat: Record<string, string> = {}
  const walk = (node: object, path: string, pointer: string) => {
    for (const [key, value] of Object.entries(node)) {
      const here = path ? `${path}.${key}` : key
      const place = below(pointer, key)
      if (typeof value === 'string') flat[here] = value
      else if (value !== null && typeof value === 'object' && !Array.isArray(value)) walk(value, here, place)
      else if (!isBroken) problem(place, lineOf(lines, place), 'must be a text or an object of texts')
    }
  }
  walk(tree, '', '')
  return { tree: tree as Record<string, unknown>, flat, problems }
}
