import type { FieldDoc, FieldRule, FormDoc, Logic, Step, ValidationDoc, Value } from '#language/documents/documents.ts'
import { type Compiled, compile } from '#language/expression/expression.ts'
import '#language/expression/all-operators.ts'
import { compileNamed, type Definitions } from '#language/expression/named.ts'
import type { PathOptions } from '#language/expression/scope.ts'
import { type CompiledValue, compileValue } from '#language/expression/value.ts'
import { type PropPart, partsOf } from '#renderer/core/parts.ts'
import type { Registry, Widget } from '#renderer/core/registry.ts'
import { topicOf } from '#renderer/core/scope.ts'

/** A form made ready to be asked: everything compiled, and known what wakes what. Made once for each revision of its documents. */
export interface CompiledForm<View = unknown> {
  doc: FormDoc
  fields: readonly CompiledField<View>[]
  byName: ReadonlyMap<string, CompiledField<View>>
  groups: ReadonlyMap<string, CompiledGroup>
  /** Shown one at a time; empty for a form without pages. */
  pages: readonly CompiledPage[]
  /** Topic → fields that look different when it changes, and fields to judge again. */
  draws: ReadonlyMap<string, readonly CompiledField<View>[]>
  judges: ReadonlyMap<string, readonly CompiledField<View>[]>
  /** Topic → fields that follow a value which reads it. */
  follows: ReadonlyMap<string, readonly CompiledField<View>[]>
  submit: CompiledSubmit
  /** Data sources of the screen that it reads. */
  sources: readonly string[]
  values: Definitions
}

/** `by` names the field that has a button for each of its options. */
export interface CompiledSubmit {
  label: CompiledValue
  by: string | undefined
  enable: Compiled | undefined
  topics: readonly string[]
}

export interface CompiledGroup {
  id: string
  columns: number | undefined
  title: CompiledValue | undefined
  show: Compiled | undefined
  topics: readonly string[]
}

export interface CompiledPage {
  id: string
  title: CompiledValue
  text: CompiledValue | undefined
  show: Compiled | undefined
  summary: boolean
  topics: readonly string[]
}

export type Level = 'error' | 'warn' | 'info'

export interface CompiledRule {
  test: Compiled
  message: CompiledValue
  level: Level
  /** Arguments of a validation, over the defaults that it declares. */
  with: CompiledValue | undefined
  defaults: Readonly<Record<string, unknown>> | undefined
  /** Other fields that it may read; those of the same row as `item.<name>`. */
  reads: readonly string[]
  /** It uses `empty` or `has`. */
  speaksOfEmpty: boolean
  /** It belongs to the form, so it holds whether or not the field of its message shows. */
  across: boolean
}

export const boundNames = ['min', 'max', 'step', 'options'] as const
type BoundName = (typeof boundNames)[number]

export interface CompiledField<View = unknown> {
  name: string
  type: FieldDoc['type']
  doc: FieldDoc
  widget: Widget<View> | undefined
  label: CompiledValue
  hint: CompiledValue | undefined
  required: boolean | Compiled
  default: CompiledValue | undefined
  /** The value that it has until the customer enters another one; `again`: also once it is left empty. */
  follows: { value: CompiledValue; again: boolean } | undefined
  show: Compiled | undefined
  enable: Compiled | undefined
  group: CompiledGroup | undefined
  page: CompiledPage | undefined
  bounds: Readonly<Partial<Record<BoundName, CompiledValue>>>
  /** Props of its widget: written props and bounds, those that never change and those that do. */
  fixed: Readonly<Record<string, unknown>>
  moving: readonly (readonly [name: string, value: CompiledValue, part: PropPart | undefined])[]
  /** Its own rules, then those across fields that stand on it. */
  rules: readonly CompiledRule[]
  on: Readonly<Record<string, readonly Step[]>>
  /** May be kept on the device until it is sent. */
  kept: boolean
  /** The fields of each row, for a field of type rows. */
  cells: readonly CompiledField<View>[]
}

const emptyScope = { get: () => undefined }
const silent = (key: string) => key
const optional = (value: Value | undefined, options: PathOptions) => (value === undefined ? undefined : compileValue(value, options))
const guardOf = (logic: Logic | undefined, options: PathOptions) => (logic === undefined ? undefined : compile(logic, options))

/** Names of fields in a list of paths. */
const fieldsIn = (paths: readonly string[]) => paths.flatMap((path) => (path.startsWith('form.') ? [topicOf(path).slice(5)] : []))
/** The same, with the fields of the own row as `item.<name>`. */
const readIn = (paths: readonly string[], own: string | undefined) => [
  ...fieldsIn(paths).filter((one) => one !== own),
  ...paths.flatMap((path) => /^item\.[\w-]+/.exec(path) ?? []),
]
const aboutEmpty = ({ operators }: Compiled) => ['empty', 'has', 'present'].some((name) => operators.includes(name))

/** Where a form finds a validation document by id. */
type FindValidation = (id: string) => ValidationDoc | undefined

/**
 * @throws ExpressionProblem for what this build refuses, Error for a validation that is not there: a form that cannot judge is not shown
 */
export function compileForm<View>(doc: FormDoc, validation: FindValidation, registry: Registry<View>): CompiledForm<View> {
  const values = compileNamed(doc.values)
  const options = { named: values.deps }
  const groups = new Map((doc.groups ?? []).map((group) => [group.id, compileGroup(group, options)] as const))
  const draws = new Map<string, CompiledField<View>[]>()
  const judges = new Map<string, CompiledField<View>[]>()
  const follows = new Map<string, CompiledField<View>[]>()
  const across = new Map<string, CompiledRule[]>()
  for (const { field, ...rule } of doc.rules ?? []) {
    const before = across.get(field) ?? []
    across.set(field, [...before, inlineRule(rule, undefined, options)])
  }
  const pages = (doc.pages ?? []).map((page) => compilePage(page, options))
  const fields = doc.fields.map((one) => {
    const page = pages.find(({ id }) => id === one.page)
    return compileField(one, { group: groups.get(one.group ?? ''), page }, validation, registry, across.get(one.name) ?? [], options)
  })
  const byName = new Map(fields.map((field) => [field.name, field] as const))
  for (const field of fields) {
    index(draws, withVisibility(drawDeps(field), field.required, byName), field)
    if (field.follows) index(follows, field.follows.value.deps, field)
    index(judges, withVisibility(judgeDeps(field), true, byName), field)
  }
  const label = compileValue(doc.submit.label, options)
  const enable = guardOf(doc.submit.enable, options)
  const { by } = doc.submit
  const choices = by === undefined ? [] : (byName.get(by)?.bounds.options?.deps ?? [])
  const submit = { label, by, enable, topics: topicsOf([...label.deps, ...choices, ...(enable?.deps ?? [])]) }
  const topics = [...draws.keys(), ...judges.keys(), ...follows.keys(), ...submit.topics]
  return {
    doc,
    fields,
    byName,
    groups,
    pages,
    draws,
    judges,
    follows,
    submit,
    sources: [...new Set(topics.filter((topic) => topic.startsWith('data.')).map((topic) => topic.slice('data.'.length)))],
    values,
  }
}

const topicsOf = (paths: readonly string[]) => [...new Set(paths.map(topicOf))]

function compileGroup({ id, title, show, columns }: NonNullable<FormDoc['groups']>[number], options: PathOptions): CompiledGroup {
  const compiled = { id, columns, title: optional(title, options), show: guardOf(show, options) }
  return { ...compiled, topics: topicsOf([...(compiled.title?.deps ?? []), ...(compiled.show?.deps ?? [])]) }
}

function compilePage({ id, title, text, show, summary }: NonNullable<FormDoc['pages']>[number], options: PathOptions): CompiledPage {
  const compiled = {
    id,
    title: compileValue(title, options),
    text: optional(text, options),
    show: guardOf(show, options),
    summary: summary ?? false,
  }
  return { ...compiled, topics: topicsOf([...compiled.title.deps, ...(compiled.text?.deps ?? []), ...(compiled.show?.deps ?? [])]) }
}

/** Where a field stands in its form. */
interface Standing {
  group: CompiledGroup | undefined
  page: CompiledPage | undefined
}

function compileField<View>(
  doc: FieldDoc,
  { group, page }: Standing,
  validation: FindValidation,
  registry: Registry<View>,
  across: readonly CompiledRule[],
  options: PathOptions,
): CompiledField<View> {
  const bounds: Partial<Record<BoundName, CompiledValue>> = {}
  const fixed: Record<string, unknown> = {}
  const widget = registry.find(doc.widget)
  const parts = widget && partsOf(widget)
  const moving: [string, CompiledValue, PropPart | undefined][] = []
  const give = (name: string, value: CompiledValue) => {
    if (value.static) fixed[name] = value.evaluate(emptyScope, silent).value
    else moving.push([name, value, parts?.get(name)])
  }
  for (const name in doc.props) give(name, compileValue(doc.props[name], options))
  for (const name of boundNames) {
    if (doc[name] === undefined) continue
    give(name, (bounds[name] = compileValue(doc[name], options)))
  }
  if (doc.maxLength !== undefined) fixed.maxLength = doc.maxLength
  const own = (doc.rules ?? []).map((rule) => compileRule(rule, doc.name, validation, options))
  return {
    name: doc.name,
    type: doc.type,
    doc,
    widget,
    label: compileValue(doc.label, options),
    hint: optional(doc.hint, options),
    required: typeof doc.required === 'boolean' || doc.required === undefined ? (doc.required ?? false) : compile(doc.required, options),
    default: optional(doc.default, options),
    follows: doc.follows === undefined ? undefined : { value: compileValue(doc.follows, options), again: doc.followsAgain ?? false },
    show: guardOf(doc.show, options),
    enable: guardOf(doc.enable, options),
    group,
    page,
    bounds,
    fixed,
    moving,
    rules: across.length ? [...own, ...across] : own,
    on: doc.on ?? {},
    kept: doc.draft !== false && doc.type !== 'password' && doc.type !== 'code',
    cells: (doc.fields ?? []).map((cell) => compileField(cell, { group: undefined, page }, validation, registry, [], options)),
  }
}

function compileRule(rule: FieldRule, name: string, validation: FindValidation, options: PathOptions): CompiledRule {
  if (typeof rule === 'object' && 'test' in rule) return inlineRule(rule, name, options)
  const id = typeof rule === 'string' ? rule : rule.use
  const doc = validation(id)
  if (!doc) throw new Error(`no validation ${id} in this release`)
  const given = typeof rule === 'object' && rule.with ? compileValue(rule.with as Value, options) : undefined
  return { ...compileValidation(doc), with: given, reads: readIn(given?.deps ?? [], name), across: false }
}

const validations = new WeakMap<ValidationDoc, Omit<CompiledRule, 'with' | 'reads' | 'across'>>()

/** The part of a rule that is the same wherever the validation is used; compiled once for each revision. */
function compileValidation(doc: ValidationDoc): Omit<CompiledRule, 'with' | 'reads' | 'across'> {
  const before = validations.get(doc)
  if (before) return before
  const test = compile(doc.test)
  const params = Object.entries(doc.params ?? {}).flatMap(([param, { default: usual }]) => (usual === undefined ? [] : [[param, usual]]))
  const made = {
    test,
    message: compileValue(doc.message),
    level: doc.level ?? 'error',
    defaults: Object.fromEntries(params) as Readonly<Record<string, unknown>>,
    speaksOfEmpty: aboutEmpty(test),
  }
  validations.set(doc, made)
  return made
}

/** @param name the field that the rule belongs to; undefined for a rule of the form */
function inlineRule(
  { test: logic, message, level }: { test: Logic; message: Value; level?: Level | undefined },
  name: string | undefined,
  options: PathOptions,
): CompiledRule {
  const test = compile(logic, options)
  return {
    test,
    message: compileValue(message, options),
    level: level ?? 'error',
    with: undefined,
    defaults: undefined,
    reads: readIn(test.deps, name),
    speaksOfEmpty: aboutEmpty(test),
    across: name === undefined,
  }
}

function* standing({ show, group, page, required }: CompiledField): Generator<string> {
  if (show) yield* show.deps
  if (group?.show) yield* group.show.deps
  if (page?.show) yield* page.show.deps
  if (typeof required === 'object') yield* required.deps
}

function* drawDeps(field: CompiledField): Generator<string> {
  yield* standing(field)
  yield* field.label.deps
  if (field.hint) yield* field.hint.deps
  if (field.enable) yield* field.enable.deps
  for (const [, value] of field.moving) yield* value.deps
  for (const cell of field.cells) yield* drawDeps(cell)
}

/** A validation sets `params` and `value` itself, so they wake nobody. */
function* judgeDeps(field: CompiledField): Generator<string> {
  yield* standing(field)
  for (const name of boundNames) if (field.bounds[name]) yield* field.bounds[name].deps
  for (const rule of field.rules) {
    if (rule.with) yield* rule.with.deps
    if (rule.defaults) continue
    yield* rule.test.deps
    yield* rule.message.deps
  }
  for (const cell of field.cells) yield* judgeDeps(cell)
}

/**
 * The paths, and what decides whether the fields among them show: a field that does not show reads as absent.
 * @param judged false where the paths are drawn only, and entries are read whether or not they show
 */
function* withVisibility(
  paths: Iterable<string>,
  judged: CompiledField['required'],
  byName: ReadonlyMap<string, CompiledField>,
): Generator<string> {
  const all = [...paths]
  yield* all
  const read = judged === true ? all : judged === false ? [] : judged.deps
  for (const name of fieldsIn(read)) {
    const { show, group, page } = byName.get(name) ?? {}
    if (show) yield* show.deps
    if (group?.show) yield* group.show.deps
    if (page?.show) yield* page.show.deps
  }
}

const ownRoots = new Set(['value', 'item', 'index', 'clock', 'format'])

function index<View>(by: Map<string, CompiledField<View>[]>, paths: Iterable<string>, field: CompiledField<View>): void {
  for (const path of paths) {
    const topic = topicOf(path)
    if (ownRoots.has(topic)) continue
    const list = by.get(topic)
    if (!list) by.set(topic, [field])
    else if (list.at(-1) !== field) list.push(field)
  }
}
