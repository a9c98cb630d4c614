import type { LintProblem } from '#language/catalog.ts'
import type { FieldDoc, FormDoc } from '#language/documents.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'
import { compilePath } from '#language/scope.ts'

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
  for (const name of read) {
    // While the field of the rule itself is hidden, the rule is not judged.
    const more = (conditions.get(name) ?? []).filter((condition) => !mine.includes(condition))
    if (name === owner?.name || more.length === 0 || asked.has(name)) continue
    const message = `"${name}" can be hidden; then it is absent and the form cannot be sent. Ask {"has": "form.${name}"} first`
    yield world.report('hidden-fields', entry, pointer, message, { severity: 'warn' })
  }
}

interface Mentions {
  /** Fields that are read without anything that stands in their place. */
  read: Set<string>
  /** Fields that are asked about with "has". */
  asked: Set<string>
}

function mentions(logic: unknown): Mentions {
  const found: Mentions = { read: new Set(), asked: new Set() }
  if (typeof logic === 'string') note(logic, found.read)
  else collect(logic, found)
  return found
}

/** The same of a value: the expressions inside of it. */
function mentionsIn(value: unknown): Mentions {
  const found: Mentions = { read: new Set(), asked: new Set() }
  const look = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return
    for (const [name, inside] of Object.entries(part)) {
      if (name !== '$') look(inside)
      else if (typeof inside === 'string') note(inside, found.read)
      else collect(inside, found)
    }
  }
  look(value)
  return found
}

function collect(logic: unknown, found: Mentions): void {
  if (typeof logic !== 'object' || logic === null) return
  if (Array.isArray(logic)) {
    for (const part of logic) collect(part, found)
    return
  }
  for (const [op, written] of Object.entries(logic)) {
    const args: readonly unknown[] = Array.isArray(written) ? written : [written]
    const [path, otherwise] = args
    if (op === 'has' && typeof path === 'string') note(path, found.asked)
    else if ((op === 'var' || op === 'outer') && typeof path === 'string') {
      if (args.length === 1) note(path, found.read)
      else collect(otherwise, found)
    } else for (const arg of args) collect(arg, found)
  }
}

/** Names of the fields that a path reads, also in its brackets. */
function note(path: string, names: Set<string>): void {
  try {
    for (const dep of compilePath(path).deps) {
      const name = dep.startsWith('form.') ? dep.split('.')[1] : undefined
      if (name !== undefined) names.add(name)
    }
  } catch {
    // What cannot be read is reported by the check of expressions.
  }
}
