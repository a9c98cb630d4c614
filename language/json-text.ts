import { type Node, parseTree } from 'jsonc-parser'
import { outline } from '#language/position.ts'

/** JSON with the places at which it is written, and the way back to text in the style of the repository: `biome check` leaves it alone. */

/** Why a text cannot be edited; the message is for people. */
export class EditProblem extends Error {
  readonly code: 'not_json' | 'no_such_place' | 'forbidden_name'
  constructor(code: EditProblem['code'], message: string) {
    super(message)
    this.name = 'EditProblem'
    this.code = code
  }
}

/** The text as a tree with offsets, and as a value. @throws EditProblem when it is not JSON, nests too deep or has a name twice */
export function readTree(text: string): { tree: Node; value: unknown } {
  const { problem } = outline(text)
  if (problem) throw new EditProblem('not_json', `line ${problem.line}: ${problem.message}`)
  try {
    const value: unknown = JSON.parse(text)
    return { tree: parseTree(text) as Node, value }
  } catch (error) {
    throw new EditProblem('not_json', `not JSON: ${(error as Error).message}`)
  }
}

/** `/a/b~1c` → `["a", "b/c"]`. */
export function namesOf(pointer: string): string[] {
  const unescaped = (name: string) => name.replaceAll('~1', '/').replaceAll('~0', '~')
  return pointer.split('/').slice(1).map(unescaped)
}

/** Where a value is going to stand. */
export interface Style {
  /** One level of indentation. */
  unit: string
  /** That of the line on which the value begins. */
  indent: string
  /** Characters on that line that are not the value's. */
  used: number
}

/** That of repository files, for a whole text. */
export const houseStyle: Style = { unit: '  ', indent: '', used: 0 }
const lineWidth = 160

/** A value as text: objects open, a list on one line when it fits and holds no objects, numbers as many on a line as fit. */
export function print(value: unknown, style: Style): string {
  if (typeof value === 'number') return JSON.stringify(value).replace('e+', 'e')
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) {
    const inner = style.indent + style.unit
    const parts = value.map((part) => print(part ?? null, { ...style, indent: inner, used: inner.length + 1 }))
    const numbers = value.every((part) => typeof part === 'number')
    return listed(parts, style, numbers)
  }
  const members = Object.entries(value).filter(([, part]) => part !== undefined)
  return opened(
    members.map(([name, part]) => [name, (inside) => print(part, inside)]),
    style,
  )
}

/** An object with each member on a line of its own. */
export function opened(members: readonly (readonly [name: string, write: (style: Style) => string])[], { unit, indent }: Style): string {
  if (members.length === 0) return '{}'
  const inner = indent + unit
  const lines = members.map(([name, write]) => {
    const before = `${inner}${JSON.stringify(name)}: `
    return before + write({ unit, indent: inner, used: before.length + 1 })
  })
  return `{\n${lines.join(',\n')}\n${indent}}`
}

/** Parts of a list that are text already. `fill`: several on a line where they do not fit on one. */
export function listed(parts: readonly string[], { unit, indent, used }: Style, fill = false): string {
  if (parts.length === 0) return '[]'
  const flat = parts.every((part) => !part.includes('\n')) ? `[${parts.join(', ')}]` : undefined
  if (flat !== undefined && used + flat.length <= lineWidth) return flat
  const inner = indent + unit
  if (!fill) return `[\n${parts.map((part) => inner + part).join(',\n')}\n${indent}]`
  const lines: string[] = []
  for (const part of parts) {
    const line = lines.at(-1)
    if (line !== undefined && line.length + part.length + 3 <= lineWidth) lines[lines.length - 1] = `${line}, ${part}`
    else lines.push(inner + part)
  }
  return `[\n${lines.join(',\n')}\n${indent}]`
}
