import { offsetIn, rangeOf, textAt } from '#language/edit/edit.ts'
import { parseLogic } from '#language/text/logic-text.ts'
import { segmentsOf } from '#language/text/position.ts'
import type { LintProblem } from '#language/types/catalog.ts'

/** A part of an expression text at `pointer`; `from` and `to` are offsets in the expression. */
interface ExpressionPart {
  pointer: string
  from: number
  to: number
}

/**
 * The expression around a pointer and the part that the pointer refers to; for an unreadable expression, its error. Undefined without a
 * text.
 */
export function expressionPart(text: string, pointer: string): ExpressionPart | undefined {
  let written = pointer
  while (written !== '' && rangeOf(text, written) === undefined) written = written.slice(0, written.lastIndexOf('/'))
  const expression = textAt(text, written)
  if (expression === undefined) return undefined
  const read = parseLogic(expression)
  if (!read.ok) return { pointer: written, from: read.problem.from, to: read.problem.to }
  let part = pointer.slice(written.length).replace(/^\/\$(?=\/|$)/, '')
  while (part !== '' && !read.places.has(part)) part = part.slice(0, part.lastIndexOf('/'))
  return { pointer: written, ...(read.places.get(part) ?? { from: 0, to: expression.length }) }
}

/**
 * The range of a problem, as offsets in the file: a part of an expression, a value, or the name of a member. For a value of several lines,
 * its name or its first line.
 */
export function problemRange(
  text: string,
  { pointer, message, line, column }: Pick<LintProblem, 'pointer' | 'message' | 'line' | 'column'>,
): { from: number; to: number } {
  const range = rangeOf(text, pointer)
  const isExpression = !range || column !== undefined || /\/\$$/.test(pointer) || text.startsWith('"= ', range.from)
  const part = isExpression ? expressionPart(text, pointer) : undefined
  if (part) {
    const from = offsetIn(text, part.pointer, part.from) ?? 0
    return { from, to: Math.max(from + 1, offsetIn(text, part.pointer, part.to) ?? from) }
  }
  if (!range || pointer === '') return lineAt(text, line)
  const value = textAt(text, pointer)
  const isAboutName =
    value === undefined
      ? !isScalar(text, range.from)
      : message.includes(`"${segmentsOf(pointer).at(-1)}"`) && !message.includes(`"${value}"`)
  if (range.name && isAboutName) return range.name
  const end = text.indexOf('\n', range.from)
  return { from: range.from, to: end < 0 ? range.to : Math.min(range.to, end) }
}

const isScalar = (text: string, at: number) => text[at] !== '{' && text[at] !== '['

/** A line, from 1, without leading white space. */
function lineAt(text: string, line: number): { from: number; to: number } {
  const lines = text.split('\n')
  const index = Math.min(Math.max(line, 1), lines.length) - 1
  const start = lines.slice(0, index).reduce((sum, one) => sum + one.length + 1, 0)
  const written = lines[index] as string
  return { from: start + written.length - written.trimStart().length, to: start + written.length }
}
