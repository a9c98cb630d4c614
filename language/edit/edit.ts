import { findNodeAtOffset, getNodePath, type Node } from 'jsonc-parser'
import { isObject } from '#language/documents/json.ts'
import { EditProblem, printText, readTree } from '#language/text/json-text.ts'
import { below, segmentsOf } from '#language/text/position.ts'
import { shortMark } from '#language/text/shorthand.ts'

export { EditProblem, printText } from '#language/text/json-text.ts'

/**
 * Edits the file of a document or text area. The result is in the printed form of `printText`; an edit that changes nothing returns the
 * text unchanged. Pointers are JSON pointers into the given text. All functions throw EditProblem when the text is not JSON, the place does
 * not exist, or a name is one that objects inherit.
 */

/**
 * Sets the value at a pointer and creates missing objects on the way; undefined removes the value. Removing a missing value has no effect.
 */
export function editText(text: string, pointer: string, value: unknown): string {
  if (pointer === '') return value === undefined ? text : printText(value)
  return change(text, (root) => {
    const names = segmentsOf(pointer)
    const last = names.pop() as string
    const around = value === undefined ? find(root, names) : make(root, names)
    if (around === undefined) return
    if (Array.isArray(around)) {
      const index = last === '-' ? around.length : indexIn(around, last, value === undefined ? 0 : 1)
      if (value === undefined) around.splice(index, 1)
      else around[index] = value
    } else if (isObject(around)) setMember(around, last, value)
    else if (value !== undefined) throw nowhere(pointer)
  })
}

/** Inserts an item before the item at `index` (its length: at the end). A missing list is created. */
export function insertItem(text: string, list: string, index: number, value: unknown): string {
  return change(text, (root) => {
    const names = segmentsOf(list)
    if (find(root, names) === undefined) {
      const around = make(root, names.slice(0, -1))
      if (!isObject(around)) throw nowhere(list)
      setMember(around, names.at(-1) as string, [])
    }
    const items = listAt(root, list)
    items.splice(indexIn(items, String(index), 1), 0, value)
  })
}

/**
 * Moves an item to this or another list; `index` is its index there afterwards. `list` is a pointer into the given text and must not lie
 * inside the moved item.
 */
export function moveTo(text: string, pointer: string, list: string, index: number): string {
  if (list.startsWith(`${pointer}/`)) throw new EditProblem('no_such_place', 'a part cannot be moved into itself')
  return change(text, (root) => {
    const names = segmentsOf(pointer)
    const items = listAt(root, pointer.slice(0, pointer.lastIndexOf('/')))
    const from = indexIn(items, names.at(-1) as string, 0)
    if (find(root, segmentsOf(list)) === undefined) {
      const around = make(root, segmentsOf(list).slice(0, -1))
      if (!isObject(around)) throw nowhere(list)
      setMember(around, segmentsOf(list).at(-1) as string, [])
    }
    const target = listAt(root, list)
    const [item] = items.splice(from, 1)
    target.splice(indexIn(target, String(index), 1), 0, item)
  })
}

/** Renames the member at a pointer, keeping its position. @throws EditProblem when the name is taken */
export function renameMember(text: string, pointer: string, name: string): string {
  return change(text, (root) => {
    const names = segmentsOf(pointer)
    const last = names.pop() as string
    const around = find(root, names)
    if (!isObject(around) || !Object.hasOwn(around, last)) throw nowhere(pointer)
    if (name === last) return
    if (Object.hasOwn(around, name)) throw new EditProblem('forbidden_name', `there is a "${name}" already`)
    const members = Object.entries(around)
    for (const [member] of members) delete around[member]
    for (const [member, value] of members) setMember(around, member === last ? name : member, value)
  })
}

/**
 * Offsets of the value at a pointer and of its name; undefined when there is none or the text is not JSON. For a short value, the offsets
 * are those of its text.
 */
export function rangeOf(text: string, pointer: string): { from: number; to: number; name?: { from: number; to: number } } | undefined {
  const tree = treeOf(text)
  const part = tree && (nodeAt(tree, pointer) ?? (/\/\$t?$/.test(pointer) ? nodeAt(tree, pointer.replace(/\/\$t?$/, '')) : undefined))
  if (!part) return undefined
  const key = part.parent?.type === 'property' ? part.parent.children?.[0] : undefined
  return {
    from: part.offset,
    to: part.offset + part.length,
    ...(key && { name: { from: key.offset, to: key.offset + key.length } }),
  }
}

/** The tree node at a pointer; undefined without one. */
function nodeAt(tree: Node, pointer: string): Node | undefined {
  return segmentsOf(pointer).reduce<Node | undefined>((around, name) => {
    if (around?.type === 'array') return around.children?.[Number(name)]
    return around?.children?.find(({ type, children }) => type === 'property' && children?.[0]?.value === name)?.children?.[1]
  }, tree)
}

/** The text at a pointer; for a short value its expression or key. Undefined when the value is not a text. */
export function textAt(text: string, pointer: string): string | undefined {
  const range = rangeOf(text, pointer)
  if (!range || text[range.from] !== '"') return undefined
  const written = JSON.parse(text.slice(range.from, range.to)) as string
  return written.slice(shortMark(written))
}

/**
 * Offset in the file of a character of the text at a pointer. Undefined when there is no text.
 * @param offset of the character, in the text as returned by `textAt`
 */
export function offsetIn(text: string, pointer: string, offset: number): number | undefined {
  const range = rangeOf(text, pointer)
  if (!range || text[range.from] !== '"') return undefined
  let at = range.from + 1
  const mark = shortMark(JSON.parse(text.slice(range.from, range.to)))
  for (let left = offset + mark; left > 0 && at < range.to - 1; left -= 1) at += text[at] !== '\\' ? 1 : text[at + 1] === 'u' ? 6 : 2
  return at
}

/** The same as line and column, counted from 1. */
export function placeIn(text: string, pointer: string, offset: number): { line: number; column: number } | undefined {
  const at = offsetIn(text, pointer, offset)
  if (at === undefined) return undefined
  const before = text.slice(0, at)
  return { line: before.split('\n').length, column: at - before.lastIndexOf('\n') }
}

/** Pointer of the innermost part at an offset; "" when the text is not JSON. */
export function pointerAt(text: string, offset: number): string {
  const tree = treeOf(text)
  const part = tree && findNodeAtOffset(tree, offset, true)
  return part ? getNodePath(part).reduce<string>((pointer, name) => below(pointer, name), '') : ''
}

/** Cache of the last parsed text, because callers ask several questions about one text. */
let last: { text: string; tree: Node | undefined } | undefined

function treeOf(text: string): Node | undefined {
  if (last?.text === text) return last.tree
  let tree: Node | undefined
  try {
    tree = readTree(text).tree
  } catch {
    tree = undefined
  }
  last = { text, tree }
  return tree
}

type Members = Record<string, unknown>
const nowhere = (pointer: string) => new EditProblem('no_such_place', `there is no ${pointer || 'such place'}`)

function change(text: string, work: (root: unknown) => void): string {
  const { value } = readTree(text)
  const before = JSON.stringify(value)
  work(value)
  return JSON.stringify(value) === before ? text : printText(value)
}

function find(root: unknown, names: readonly string[]): unknown {
  let at = root
  for (const name of names) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined
    at = (at as Members)[name]
  }
  return at
}

/** The object or list at this place; missing objects on the way are created. */
function make(root: unknown, names: readonly string[]): unknown {
  let at = root
  for (const name of names) {
    if (isObject(at) && !Object.hasOwn(at, name)) setMember(at, name, {})
    at = find(at, [name])
    if (typeof at !== 'object' || at === null) throw nowhere(name)
  }
  return at
}

function listAt(root: unknown, pointer: string): unknown[] {
  const list = find(root, segmentsOf(pointer))
  if (!Array.isArray(list)) throw new EditProblem('no_such_place', `there is no list at ${pointer || 'the top'}`)
  return list
}

function indexIn(list: readonly unknown[], name: string, beyond: 0 | 1): number {
  const index = /^(?:0|[1-9]\d*)$/.test(name) ? Number(name) : -1
  if (index < 0 || index >= list.length + beyond) throw new EditProblem('no_such_place', `the list has no place ${name}`)
  return index
}

function setMember(members: Members, name: string, value: unknown): void {
  if (name === '__proto__' || name === 'constructor' || name === 'prototype')
    throw new EditProblem('forbidden_name', `"${name}" may not be a name`)
  if (value === undefined) delete members[name]
  else members[name] = value
}
