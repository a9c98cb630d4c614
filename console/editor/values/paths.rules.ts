import type { JsonSchema } from '#language/catalog.ts'
import { typeOfPath, withoutNull } from '#language/paths.ts'
import type { Types } from '#language/types.ts'

/** A path that can be read, with what is there in a word. */
export interface PathHint {
  path: string
  type: string
}
const hintsMax = 200

/**
 * Paths that go on from what was typed, one or two names further, and functions whose name does: `data.info.av` offers what is in `data.info`,
 * `wallet.w` offers `wallet.withdrawFee(` with the names of what it takes.
 */
export function pathsFrom({ functions = [], ...types }: Types, typed: string): PathHint[] {
  const called = functions
    .filter(({ name }) => typed !== '' && name.startsWith(typed))
    .map(({ name, params }): PathHint => ({ path: `${name}(`, type: params.map((param) => param.name).join(', ') }))
  const dot = typed.lastIndexOf('.')
  if (dot < 0)
    return [...Object.entries(types).flatMap(([root, type]) => [hint(root, type), ...membersOf(root, type)]), ...called].slice(0, hintsMax)
  if (called.length > 0) return called
  const base = typed.slice(0, dot)
  const { type, problems } = typeOfPath(base, types)
  if (problems.length > 0) return []
  return membersOf(base, type)
    .flatMap((one) => [one, ...membersOf(one.path, typeOfPath(one.path, types).type)])
    .slice(0, hintsMax)
}

function membersOf(base: string, written: JsonSchema): PathHint[] {
  const type = withoutNull(written)
  const shapes = type.anyOf ?? [type]
  return shapes.flatMap((shape) => Object.entries(shape.properties ?? {}).map(([name, part]) => hint(`${base}.${name}`, part)))
}

const hint = (path: string, type: JsonSchema): PathHint => ({ path, type: nameOfType(type) })

/** "amount", "text", "list of 3 members": what an operator calls a type. */
export function nameOfType(written: JsonSchema): string {
  const type = withoutNull(written)
  if (type.decimal) return 'amount'
  if (type.enum) return type.enum.slice(0, 4).join(' | ')
  if (type.anyOf) return [...new Set(type.anyOf.map(nameOfType))].join(' or ')
  if (type.type === 'array') return 'list'
  if (type.type === 'object') return 'group'
  if (type.type === 'boolean') return 'yes or no'
  if (type.type === 'integer' || type.type === 'number') return 'number'
  return type.type === 'string' ? 'text' : ''
}
