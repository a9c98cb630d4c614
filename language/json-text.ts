import { type Node, parseTree } from 'jsonc-parser'
import { outline } from '#language/position.ts'

/** JSON with the places at which it is written, and the one printed form of documents and text areas. */

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

/** Characters on a line of a document. */
const lineWidth = 140

/** In which order the members of what people write most stand; `first` tells which objects are meant. The others keep their order. */
const orders: readonly { first: readonly string[]; then: readonly string[] }[] = [
  {
    first: ['kind', 'id'],
    then: [
      'format',
      'about',
      'title',
      'back',
      'toolbar',
      'head',
      'foot',
      'wide',
      'params',
      'state',
      'lists',
      'data',
      'values',
      'actions',
      'errors',
      'enter',
      'groups',
      'fields',
      'rules',
      'submit',
      'body',
    ],
  },
  { first: ['id', 'widget'], then: ['props', 'show', 'enable', 'on', 'slots', 'repeat', 'states', 'fallback', 'critical'] },
  { first: ['name', 'type'], then: ['widget', 'label', 'hint', 'required', 'default', 'rules', 'show', 'enable', 'min', 'max', 'step'] },
  { first: ['use'], then: ['as', 'with'] },
  { first: ['call'], then: ['fields', 'args', 'as', 'when'] },
  { first: ['id', 'to'], then: ['icon', 'label', 'params', 'show', 'badge'] },
  { first: ['screen'], then: ['tab', 'auth', 'kyc', 'aliases'] },
  { first: ['test', 'message'], then: ['field', 'level'] },
  { first: ['if', 'then'], then: ['else'] },
]

/**
 * A value as the text of a file, the same bytes whoever writes it. In a document what fits on a line stands on one; a text area has one line
 * for each key.
 */
export function printText(value: unknown): string {
  const isDocument = typeof value === 'object' && value !== null && Object.hasOwn(value, 'kind')
  return `${opened(value, '', isDocument)}\n`
}

/** The value with its members on lines of their own. */
function opened(value: unknown, indent: string, isDocument: boolean): string {
  if (typeof value !== 'object' || value === null) return flat(value)
  const inner = `${indent}  `
  const parts = Array.isArray(value)
    ? value.map((part) => inner + fitted(part, inner, inner.length + 1, isDocument))
    : membersOf(value, isDocument).map(([name, part]) => {
        const before = `${inner}${JSON.stringify(name)}: `
        return before + fitted(part, inner, before.length + 1, isDocument)
      })
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return parts.length === 0 ? `${open}${close}` : `${open}\n${parts.join(',\n')}\n${indent}${close}`
}

/** On one line where it fits behind `used` characters. */
function fitted(value: unknown, indent: string, used: number, isDocument: boolean): string {
  if (isDocument || Array.isArray(value) || typeof value !== 'object') {
    const line = flat(value)
    if (typeof value !== 'object' || used + line.length <= lineWidth) return line
  }
  return opened(value, indent, isDocument)
}

function flat(value: unknown): string {
  if (typeof value === 'number') return JSON.stringify(value).replace('e+', 'e')
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map((part) => flat(part ?? null)).join(', ')}]`
  const members = membersOf(value, true).map(([name, part]) => `${JSON.stringify(name)}: ${flat(part)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

function membersOf(value: object, ordered: boolean): [string, unknown][] {
  const members = Object.entries(value).filter(([, part]) => part !== undefined)
  const order = ordered ? orders.find(({ first }) => first.every((name) => Object.hasOwn(value, name))) : undefined
  if (!order) return members
  const names = [...order.first, ...order.then]
  const place = (name: string) => (name === '$schema' ? -1 : names.includes(name) ? names.indexOf(name) : names.length)
  return members.sort(([a], [b]) => place(a) - place(b))
}
