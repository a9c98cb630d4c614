import type { FieldDoc, FieldType, FormDoc, FragmentDoc, ValidationDoc } from '#language/documents/documents.ts'
import { nearest } from '#language/documents/nearest.ts'
import { compilePath } from '#language/expression/scope.ts'
import { members } from '#language/lint/judge.ts'
import { answersOf } from '#language/lint/trees.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'
import { below } from '#language/text/position.ts'
import type { LintProblem } from '#language/types/catalog.ts'
import { paramTypes } from '#language/types/types.ts'

/** Whether a widget is a field. Field widgets are named `…-field` and occur in forms only. */
const isField = (widget: string) => (widget.split('@', 1)[0] as string).endsWith('-field')

/** Field types to which each bound applies. */
const bounds: Record<'min' | 'max' | 'step' | 'minLength' | 'maxLength' | 'options', readonly FieldType[]> = {
  min: ['decimal', 'integer', 'date', 'list', 'rows'],
  max: ['decimal', 'integer', 'date', 'list', 'rows'],
  step: ['decimal', 'integer'],
  minLength: ['string', 'password', 'code'],
  maxLength: ['string', 'password', 'code'],
  options: ['enum', 'list', 'string'],
}

/** Checks fields of forms: widgets are field widgets, rules exist and get their parameters, bounds fit the type, groups are declared. */
export const fields: Check = function* (world) {
  for (const entry of world.entries) {
    for (const { node, pointer, field, fragment } of entry.own.nodes) {
      if (!field && isField(node.widget) && fragment === undefined)
        yield world.report('fields', entry, `${pointer}/widget`, `${node.widget} belongs in a form, not in a ${entry.doc.kind}`)
    }
    if (entry.doc.kind !== 'form') continue
    const names = entry.doc.fields.map(({ name }) => name)
    const groups = (entry.doc.groups ?? []).map(({ id }) => id)
    for (const [i, field] of entry.doc.fields.entries()) yield* judged(world, entry, field, groups, `/fields/${i}`)
    yield* decided(world, entry, entry.doc)
    for (const [i, { field }] of ((entry.doc as FormDoc).rules ?? []).entries()) {
      if (!names.includes(field))
        yield world.report('fields', entry, `/rules/${i}/field`, `the form has no field "${field}"`, { suggestion: nearest(field, names) })
    }
  }
}

/** Checks that the field which the buttons of a form choose is an enum that always takes part. */
function* decided(world: World, entry: Entry, { fields, submit }: FormDoc): Generator<LintProblem> {
  const { by } = submit
  if (by === undefined) return
  const enums = fields.filter(({ type }) => type === 'enum').map(({ name }) => name)
  const field = fields.find(({ name }) => name === by)
  const report = (message: string, suggestion?: string) => world.report('fields', entry, '/submit/by', message, { suggestion })
  if (!field) yield report(`the form has no field "${by}"`, nearest(by, enums))
  else if (field.type !== 'enum') yield report(`"${by}" is of type ${field.type}: only a field of type enum has a button for each option`)
  else if (field.show !== undefined || field.group !== undefined)
    yield report(`"${by}" has buttons in the place of a control: it takes neither "show" nor "group"`)
}

function* judged(world: World, entry: Entry, field: FieldDoc, groups: readonly string[], pointer: string): Generator<LintProblem> {
  if (world.widget(field.widget) && !isField(field.widget)) {
    const suggestion = nearest(`${field.widget}-field`, world.catalog.widgets.map(({ type }) => type).filter(isField))
    yield world.report('fields', entry, `${pointer}/widget`, `${field.widget} takes no input: the widget of a field ends in -field`, {
      suggestion,
    })
  }
  if (field.group !== undefined && !groups.includes(field.group))
    yield world.report('fields', entry, `${pointer}/group`, `there is no group "${field.group}"`, {
      suggestion: nearest(field.group, groups),
    })
  if ((field.type === 'rows') !== (field.fields !== undefined))
    yield world.report(
      'fields',
      entry,
      pointer,
      field.fields ? '"fields" belong to a field of type rows' : 'a field of type rows requires "fields"',
    )
  const cells = (field.fields ?? []).map(({ name }) => name)
  for (const [i, cell] of (field.fields ?? []).entries()) {
    if (cells.indexOf(cell.name) < i)
      yield world.report('fields', entry, `${pointer}/fields/${i}/name`, `a row already has a field "${cell.name}"`, {
        suggestion: `${cell.name}_2`,
      })
    yield* judged(world, entry, cell, groups, `${pointer}/fields/${i}`)
  }
  if (field.type === 'enum' && field.options === undefined)
    yield world.report('fields', entry, pointer, 'a field of type enum requires "options"')
  for (const [name, types] of Object.entries(bounds) as [keyof typeof bounds, readonly FieldType[]][]) {
    if (field[name] !== undefined && !types.includes(field.type))
      yield world.report('fields', entry, `${pointer}/${name}`, `"${name}" has no effect on a field of type ${field.type}`)
  }
  for (const [i, rule] of (field.rules ?? []).entries()) {
    const id = typeof rule === 'string' ? rule : 'use' in rule ? rule.use : undefined
    if (id === undefined) continue
    const at = `${pointer}/rules/${i}`
    const found = world.find('validation', id)
    if (!found) {
      yield world.report('fields', entry, typeof rule === 'string' ? at : `${at}/use`, `there is no validation "${id}"`, {
        suggestion: nearest(id, world.ids('validation')),
      })
      continue
    }
    const { params = {} } = found.doc as ValidationDoc
    const needed = Object.entries(params).flatMap(([name, param]) => (param.required && param.default === undefined ? [name] : []))
    const given = typeof rule === 'object' && 'use' in rule ? (rule.with ?? {}) : {}
    for (const { message, suggestion } of members(given, { ...paramTypes(params), required: needed }, entry.types, at))
      yield world.report('fields', entry, at, `validation "${id}": ${message}`, { suggestion })
  }
}

/** Bounds of a field that are validated. */
const boundNames = new Set(['min', 'max', 'step', 'options'])

/** Checks that rules of a form do not require a field that can be hidden: it would be absent, and the form could not be sent. */
export const hiddenFields: Check = function* (world) {
  for (const entry of world.entries) {
    if (entry.doc.kind !== 'form') continue
    const { doc } = entry
    const conditions = new Map(doc.fields.map((field) => [field.name, conditionsOf(field, doc)] as const))
    for (const { logic, role, pointer, node } of entry.own.logics)
      if (role === 'test' || role === 'required') yield* counted(world, entry, pointer, mentions(logic), conditions, node?.field)
    for (const { value, role, name, pointer, node } of entry.own.values)
      if (node?.field && !pointer.includes('/on/') && (role === 'with' || (role === 'param' && boundNames.has(name))))
        yield* counted(world, entry, pointer, mentionsIn(value), conditions, node.field)
    for (const [i, { field, level }] of (doc.rules ?? []).entries()) {
      if (level === 'warn' && (conditions.get(field)?.length ?? 0) > 0)
        yield world.report('hidden-fields', entry, `/rules/${i}/field`, `a warning cannot be confirmed while "${field}" is hidden`, {
          severity: 'warn',
        })
    }
  }
}

/** Conditions under which a field shows, including those of its group and its page. */
function conditionsOf({ show, group, page }: FieldDoc, { groups = [], pages = [] }: FormDoc): readonly string[] {
  const around = groups.find(({ id }) => id === group)?.show
  return [show, around, pages.find(({ id }) => id === page)?.show].flatMap((logic) =>
    logic === undefined || logic === true ? [] : [JSON.stringify(logic)],
  )
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
  const reported = new Set<string>()
  for (const { name, under } of read) {
    // A rule of a hidden field is not evaluated, and neither is a branch that is not taken.
    const more = (conditions.get(name) ?? []).filter((condition) => !mine.includes(condition) && !under.includes(condition))
    if (name === owner?.name || more.length === 0 || asked.has(name) || reported.has(name)) continue
    reported.add(name)
    const message = `"${name}" can be hidden; then it is absent and the form cannot be sent. Check {"has": "form.${name}"} first`
    yield world.report('hidden-fields', entry, pointer, message, { severity: 'warn' })
  }
}

interface Mentions {
  /** Fields that are read without a fallback, each with the conditions of the read. */
  read: { name: string; under: readonly string[] }[]
  /** Fields tested with "has". */
  asked: Set<string>
}

function mentions(logic: unknown): Mentions {
  const found: Mentions = { read: [], asked: new Set() }
  if (typeof logic === 'string') read(logic, found, [])
  else collect(logic, found)
  return found
}

/** The same for the expressions inside a value. */
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

/** @param under conditions that are true where the expression is evaluated */
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

/** The conditions that are true where an operand of `if` or `and` is evaluated. */
function holding(op: 'if' | 'and', args: readonly unknown[], i: number): string[] {
  const before = op === 'and' ? args.slice(0, i) : i % 2 === 1 ? [args[i - 1]] : []
  return before.map((condition) => JSON.stringify(condition))
}

function read(path: string, found: Mentions, under: readonly string[]): void {
  for (const name of fieldsIn(path)) found.read.push({ name, under })
}

/** Names of fields that a path reads, also in its brackets. */
function fieldsIn(path: string): string[] {
  try {
    return compilePath(path).deps.flatMap((dep) => (dep.startsWith('form.') ? (dep.split('.')[1] ?? []) : []))
  } catch {
    // The expressions check reports unreadable paths.
    return []
  }
}

/** Checks that every parameter is passed somewhere; otherwise reads of it always give the default, or nothing. */
export const params: Check = function* (world) {
  const given = givenIn(world)
  for (const entry of world.entries) {
    const { doc } = entry
    if (doc.kind === 'fragment') yield* unread(world, entry, doc)
    const names = given.get(`${doc.kind}/${doc.id}`)
    // Another check reports documents that nothing uses.
    if (!names) continue
    if (doc.kind === 'screen' || doc.kind === 'fragment' || doc.kind === 'validation')
      for (const [name, param] of Object.entries(doc.params ?? {})) {
        // Parameters of a validation with a default may stay unused: they let a form set another limit.
        const isSettled = doc.kind === 'validation' && param.default !== undefined
        if (!names.has(name) && !isSettled) yield lacking(world, entry, name, below('/params', name), names)
      }
  }
}

/** Parameters of a fragment that nothing in it reads. */
function* unread(world: World, entry: Entry, { params = {}, ...doc }: FragmentDoc): Generator<LintProblem> {
  const text = JSON.stringify(doc)
  for (const name of Object.keys(params))
    if (!new RegExp(`\\bparams\\.${name}\\b`).test(text))
      yield world.report('params', entry, below('/params', name), `the fragment does not read "params.${name}"`, { severity: 'warn' })
}

function lacking(world: World, entry: Entry, name: string, pointer: string, names: ReadonlySet<string>): LintProblem {
  const { kind, id } = entry.doc
  const suggestion = nearest(name, names)
  return world.report('params', entry, pointer, `nothing sets "${name}" of the ${kind} "${id}"`, { severity: 'warn', suggestion })
}

/** Document → names of the parameters passed to it, from all places. */
function givenIn(world: World): ReadonlyMap<string, ReadonlySet<string>> {
  const given = new Map<string, Set<string>>()
  const give = (kind: string, id: string | undefined, names: Iterable<string>) => {
    if (id === undefined) return
    given.set(`${kind}/${id}`, new Set([...(given.get(`${kind}/${id}`) ?? []), ...names]))
  }
  for (const entry of world.entries) {
    for (const { use, with: values } of entry.own.uses) give('fragment', use, Object.keys(values))
    for (const { step } of entry.facts.steps) {
      if ('go' in step) for (const to of answersOf(step.go) ?? []) give('screen', routeOf(world, to), Object.keys(step.params ?? {}))
    }
    for (const { field } of entry.facts.nodes)
      for (const rule of field?.rules ?? []) {
        if (typeof rule === 'string') give('validation', rule, [])
        else if ('use' in rule) give('validation', rule.use, Object.keys(rule.with ?? {}))
      }
    // A flow opens an address like an external link.
    if (entry.doc.kind === 'flow')
      for (const step of entry.doc.steps) if ('open' in step) give('screen', routeOf(world, step.open), Object.keys(step.params ?? {}))
    if (entry.doc.kind === 'quick-entries')
      for (const { to, params: values } of entry.doc.entries) give('screen', routeOf(world, to), Object.keys(values ?? {}))
  }
  return given
}

const routeOf = (world: World, to: unknown) => (typeof to === 'string' ? world.route(to)?.screen : undefined)
