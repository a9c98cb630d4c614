import type { AnyDoc } from '#language/documents/documents.ts'
import { factsOf, type NodePlace } from '#language/documents/walk.ts'
import { below, segmentsOf } from '#language/text/position.ts'

/** `node` is the node of the expression; absent outside of nodes. */
type Change = (logic: unknown, pointer: string, node: NodePlace | undefined) => unknown

type ChangeHere = (logic: unknown, pointer: string) => unknown

/** Replaces every expression of a document by the result of `change`. */
export function changeLogic(doc: AnyDoc, change: Change): void {
  const { logics, values } = factsOf(doc)
  for (const { logic, pointer, node } of logics) put(doc, pointer, change(logic, pointer, node))
  for (const { value, pointer, role, node } of values) {
    const changeHere = (logic: unknown, at: string) => change(logic, at, node)
    if (role === 'each') put(doc, pointer, eachChanged(value, pointer, changeHere))
    else changeValue(value, pointer, changeHere)
  }
}

/** `"each": "data.list"` is short for `"each": {"$": "data.list"}`. */
function eachChanged(each: unknown, pointer: string, change: ChangeHere): unknown {
  const isLong = typeof each === 'object' && each !== null && Object.hasOwn(each, '$')
  return { $: isLong ? change((each as { $: unknown }).$, below(pointer, '$')) : change(each, pointer) }
}

function changeValue(value: unknown, pointer: string, change: ChangeHere): void {
  if (typeof value !== 'object' || value === null) return
  const members = value as Record<string, unknown>
  if (Object.hasOwn(members, '$') && !Array.isArray(value)) members.$ = change(members.$, below(pointer, '$'))
  else for (const [name, part] of Object.entries(members)) changeValue(part, below(pointer, name), change)
}

function put(doc: AnyDoc, pointer: string, value: unknown): void {
  const names = segmentsOf(pointer)
  const last = names.pop() as string
  let at = doc as unknown as Record<string, unknown>
  for (const name of names) at = at[name] as Record<string, unknown>
  at[last] = value
}
