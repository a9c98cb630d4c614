import { type Node, parseTree } from 'jsonc-parser'
import { outline } from '#language/text/position.ts'
import { lengthened, withShortValues } from '#language/text/shorthand.ts'

/** JSON with source positions, and the printed form of documents and text areas. */

/** The reason why a text cannot be edited, for people. */
export class EditProblem extends Error {
  readonly code: 'not_json' | 'no_such_place' | 'forbidden_name'
  constructor(code: EditProblem['code'], message: string) {
    super(message)
    this.name = 'EditProblem'
    this.code = code
  }
}

const isDocument = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, 'kind')

/**
 * Parses a text to a tree with offsets and to a value in which short values are expanded.
 * @throws EditProblem when it is not JSON, is nested too deep or repeats a name
 */
export function readTree(text: string): { tree: Node; value: unknown } {
  const { problem } = outline(text)
  if (problem) throw new EditProblem('not_json', `line ${problem.line}: ${problem.message}`)
  try {
    const value: unknown = JSON.parse(text)
    return { tree: parseTree(text) as Node, value: isDocument(value) ? lengthened(value) : value }
  } catch (error) {
    throw new EditProblem('not_json', `not JSON: ${(error as Error).message}`)
  }
}

/** Maximum line length of a document. */
const lineWidth = 140

/** Order of members in the objects that people write most; `first` identifies the object. Other objects keep their order. */
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
      'pad',
      'wide',
      'params',
      'state',
      'lists',
      'data',
      'values',
      'actions',
      'errors',
      'enter',
      'changes',
      'pages',
      'groups',
      'fields',
      'rules',
      'submit',
      'body',
    ],
  },
  {
    first: ['id', 'widget'],
    then: ['bind', 'props', 'show', 'enable', 'go', 'params', 'on', 'slots', 'repeat', 'states', 'fallback', 'critical'],
  },
  {
    first: ['name', 'type'],
    then: ['widget', 'label', 'hint', 'required', 'default', 'follows', 'followsAgain', 'rules', 'show', 'enable', 'min', 'max', 'step'],
  },
  { first: ['use'], then: ['as', 'with', 'slots'] },
  { first: ['slot'], then: ['repeat', 'default'] },
  { first: ['call'], then: ['fields', 'args', 'as', 'when'] },
  { first: ['id', 'to'], then: ['icon', 'label', 'params', 'show', 'badge'] },
  { first: ['screen'], then: ['tab', 'auth', 'kyc', 'aliases'] },
  { first: ['test', 'message'], then: ['field', 'level'] },
  { first: ['when', 'do'], then: [] },
  { first: ['if', 'then'], then: ['else'] },
]

/** Members that say what an object is; they stay on its first line. */
const leading = new Set(['id', 'widget', 'bind', 'name', 'type', 'use', 'as', 'call', 'confirm', 'if', 'test', 'screen', 'auth'])
/** Members that follow them on the line if they fit. */
const following = new Set(['label', 'hint', 'required', 'props', 'with', 'args'])
/** Members that share the first line of a document. */
const heading = ['$schema', 'kind', 'id', 'format']

/**
 * Prints a value as the text of a file; equal values give equal bytes. In a document, what fits on a line is on one line and values are in
 * their short form. A text area has one line for each key.
 */
export function printText(value: unknown): string {
  return `${isDocument(value) ? document(withShortValues(value) as object) : opened(value, '')}\n`
}

/** Prints a node, a step or another part of a document, for guides. */
export const printPart = (value: unknown): string => fitted(withShortValues(value), '', 0)

function document(value: object): string {
  const lines = membersOf(value).map(([name, part]) => ({ name, text: member(name, part, 2, '  ') }))
  const head = lines.filter(({ name }) => heading.includes(name)).map(({ text }) => text)
  const rest = lines.filter(({ name }) => !heading.includes(name)).map(({ text }) => `  ${text}`)
  return `{\n${[`  ${head.join(', ')}`, ...rest].join(',\n')}\n}`
}

const member = (name: string, part: unknown, used: number, indent: string) =>
  `${JSON.stringify(name)}: ${fitted(part, indent, used + name.length + 5)}`

/** Prints a part of a document on one line if it fits after `used` characters. */
function fitted(value: unknown, indent: string, used: number): string {
  const line = flat(value)
  if (typeof value !== 'object' || value === null || used + line.length <= lineWidth) return line
  return Array.isArray(value) ? openList(value, indent, used) : openObject(value, indent, used)
}

/** Prints a list on several lines. A single item is printed inside its brackets. */
function openList(list: readonly unknown[], indent: string, used: number): string {
  const inner = `${indent}  `
  const [only] = list
  if (list.length === 1 && !fits(only, inner.length + 1)) return `[${fitted(only, indent, used + 2)}]`
  return `[\n${list.map((part) => inner + fitted(part, inner, inner.length + 1)).join(',\n')}\n${indent}]`
}

/** Prints an object on several lines. Its leading members and a single member follow the bracket directly. */
function openObject(value: object, indent: string, used: number): string {
  const inner = `${indent}  `
  const members = membersOf(value)
  const [first = ['', '']] = members
  if (members.length === 1 && typeof first[1] === 'object' && !fits(first[1], inner.length + first[0].length + 5))
    return `{ ${member(...first, used + 2, indent)} }`
  const lead: string[] = []
  for (const [name, part] of members.slice(0, -1)) {
    const text = `${JSON.stringify(name)}: ${flat(part)}`
    const isLead = leading.has(name) ? typeof part !== 'object' : lead.length > 0 && following.has(name)
    if (!isLead || used + [...lead, text].join(', ').length + 2 >= lineWidth) break
    lead.push(text)
  }
  const rest = members.slice(lead.length).map((one) => inner + member(...one, inner.length, inner))
  return `{${lead.length > 0 ? ` ${lead.join(', ')},` : ''}\n${rest.join(',\n')}\n${indent}}`
}

const fits = (value: unknown, used: number) => used + flat(value).length <= lineWidth

/** Prints a text area: one member on each line. */
function opened(value: unknown, indent: string): string {
  if (typeof value !== 'object' || value === null) return flat(value)
  const inner = `${indent}  `
  const parts = Array.isArray(value)
    ? value.map((part) => inner + (fits(part, inner.length + 1) ? flat(part) : opened(part, inner)))
    : Object.entries(value).map(
        ([name, part]) =>
          `${inner}${JSON.stringify(name)}: ${Array.isArray(part) && fits(part, inner.length + name.length + 5) ? flat(part) : opened(part, inner)}`,
      )
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return parts.length === 0 ? `${open}${close}` : `${open}\n${parts.join(',\n')}\n${indent}${close}`
}

function flat(value: unknown): string {
  if (typeof value === 'number') return JSON.stringify(value).replace('e+', 'e')
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map((part) => flat(part ?? null)).join(', ')}]`
  const members = membersOf(value).map(([name, part]) => `${JSON.stringify(name)}: ${flat(part)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

function membersOf(value: object): [string, unknown][] {
  const members = Object.entries(value).filter(([, part]) => part !== undefined)
  const order = orders.find(({ first }) => first.every((name) => Object.hasOwn(value, name)))
  if (!order) return members
  const names = [...order.first, ...order.then]
  const place = (name: string) => (name === '$schema' ? -1 : names.includes(name) ? names.indexOf(name) : names.length)
  return members.sort(([a], [b]) => place(a) - place(b))
}
