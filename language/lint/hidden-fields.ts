import type { FieldDoc, FormDoc } from '#language/documents/documents.ts'
import { compilePath } from '#language/expression/scope.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'
import type { LintProblem } from '#language/types/catalog.ts'

/** Bounds of a field that are judged. */
const bounds = new Set(['min', 'max', 'step', 'options'])

/** What judges an entry does not count on a field that can be hidden: there it reads as absent, and the form cannot be sent. */
export const hiddenFields: Check = function* (world) {
  for (const entry of world.entries) {
    if (entry.doc.kind !== 'form') continue
    const { doc } = entry
    const conditions = new Map(doc.fields.map((field) => [field.name, conditionsOf(field, doc)] as const))
    for (const { logic, role, pointer, node } of entry.own.logics)
      if (role === 'test' || role === 'required') yield* counted(world, entry, pointer, mentions(logic), conditions, node?.field)
    for (const { value, role, name, pointer, node } of entry.own.values)
      if (node?.field && !pointer.includes('/on/') && (role === 'with' || (role === 'param' && bounds.has(name))))
        yield* counted(world, entry, pointer, mentionsIn(value), conditions, node.field)
    for (const [i, { field, level }] of (doc.rules ?? []).entries()) {
      if (level === 'warn' && (conditions.get(field)?.length ?? 0) > 0)
        yield world.report('hidden-fields', entry, `/rules/${i}/field`, `a warning cannot be ticked while "${field}" is hidden`, {
          severity: 'warn',
        })
    }
  }
}

/** What a field wants so that it shows, its group's condition included. */
function conditionsOf({ show, group }: FieldDoc, { groups = [] }: FormDoc): readonly string[] {
  const around = groups.find(({ id }) => id === group)?.show
  return [show, around].flatMap((logic) => (logic === undefined || logic === true ? [] : [JSON.stringify(logic)]))
}

function* counted(
  world: World,
  entry: Entry,
  pointer: string,
  { read, asked }: Mentions,
  conditions: ReadonlyMap<string, readonly string[]>,
  owner: FieldDoc | undefined,
): Generator<LintProblem> {
  const mine = owner ? (conditions.get(owner.name) ?? []) : []
  const told = new Set<string>()
  for (const { name, under } of read) {
    // While the field of the rule itself is hidden, the rule is not judged; and a branch that was not taken does not count.
    const more = (conditions.get(name) ?? []).filter((condition) => !mine.includes(condition) && !under.includes(condition))
    if (name === owner?.name || more.length === 0 || asked.has(name) || told.has(name)) continue
    told.add(name)
    const message = `"${name}" can be hidden; then it is absent and the form cannot be sent. Ask {"has": "form.${name}"} first`
    yield world.report('hidden-fields', entry, pointer, message, { severity: 'warn' })
  }
}

interface Mentions {
  /** Fields that are read without anything that stands in their place, each with the conditions under which it is. */
  read: { name: string; under: readonly string[] }[]
  /** Fields that are asked about with "has". */
  asked: Set<string>
}

function mentions(logic: unknown): Mentions {
  const found: Mentions = { read: [], asked: new Set() }
  if (typeof logic === 'string') read(logic, found, [])
  else collect(logic, found)
  return found
}

/** The same of a value: the expressions inside of it. */
function mentionsIn(value: unknown): Mentions {
  const found: Mentions = { read: [], asked: new Set() }
  const look = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return
    for (const [name, inside] of Object.entries(part)) {
      if (name !== '$') look(inside)
      else if (typeof inside === 'string') read(inside, found, [])
      else collect(inside, found)
    }
  }
  look(value)
  return found
}

/** @param under conditions that hold where the expression is evaluated */
function collect(logic: unknown, found: Mentions, under: readonly string[] = []): void {
  if (typeof logic !== 'object' || logic === null) return
  if (Array.isArray(logic)) {
    for (const part of logic) collect(part, found, under)
    return
  }
  for (const [op, written] of Object.entries(logic)) {
    const args: readonly unknown[] = Array.isArray(written) ? written : [written]
    const [path, otherwise] = args
    if (op === 'has' && typeof path === 'string') for (const name of fieldsIn(path)) found.asked.add(name)
    else if ((op === 'var' || op === 'outer') && typeof path === 'string') {
      if (args.length === 1) read(path, found, under)
      else collect(otherwise, found, under)
    } else if (op === 'if' || op === 'and') {
      for (const [i, arg] of args.entries()) collect(arg, found, [...under, ...holding(op, args, i)])
    } else for (const arg of args) collect(arg, found, under)
  }
}

/** The conditions that hold where an operand of `if` or `and` is evaluated. */
function holding(op: 'if' | 'and', args: readonly unknown[], i: number): string[] {
  const before = op === 'and' ? args.slice(0, i) : i % 2 === 1 ? [args[i - 1]] : []
  return before.map((condition) => JSON.stringify(condition))
}

function read(path: string, found: Mentions, under: readonly string[]): void {
  for (const name of fieldsIn(path)) found.read.push({ name, under })
}

/** Names of the fields that a path reads, also in its brackets. */
function fieldsIn(path: string): string[] {
  try {
    return compilePath(path).deps.flatMap((dep) => (dep.startsWith('form.') ? (dep.split('.')[1] ?? []) : []))
  } catch {
    // What cannot be read is reported by the check of expressions.
    return []
  }
}
