import type { FieldDoc, ValidationDoc } from '#language/documents/documents.ts'
import { nearest } from '#language/documents/nearest.ts'
import { callOf } from '#language/documents/nodes.ts'
import type { NodePlace, StepPlace, ValuePlace } from '#language/documents/walk.ts'
import { type TypedPlace, typedOf } from '#language/lint/expressions.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'
import { below } from '#language/text/position.ts'
import type { JsonSchema } from '#language/types/catalog.ts'
import { type PathProblem, typeOfLogic, typeOfPath, typeOfValue } from '#language/types/paths.ts'
import { anything, paramTypes, record, type Types } from '#language/types/types.ts'
import { besides, type Counted, clash, countedOf, misfit, type UnitProblem } from '#language/types/units.ts'

/**
 * Checks the units of numbers: in arithmetic, functions and formats, props, arguments of calls, bounds of fields, validations and prompts.
 * A currency beside an amount must be that of the amount. Unknown units are not reported.
 */
export const units: Check = function* (world) {
  for (const entry of world.entries) {
    const said = new Set<string>()
    for (const { pointer, message, suggestion } of inEntry(world, entry)) {
      if (said.has(`${pointer} ${message}`)) continue
      said.add(`${pointer} ${message}`)
      yield world.report('units', entry, pointer, message, { suggestion })
    }
  }
}

const aboutUnits = (problems: readonly PathProblem[]) => problems.filter(({ about }) => about === 'units')

function* inEntry(world: World, entry: Entry): Generator<UnitProblem> {
  const nodes = new Map<NodePlace, TypedPlace[]>()
  const args = new Map<string, TypedPlace>()
  for (const one of typedOf(world, entry)) {
    yield* aboutUnits(one.problems)
    const { role, node, pointer } = one.place
    if (role === 'arg') args.set(pointer, one)
    if (!node || role !== 'prop') continue
    const props = nodes.get(node)
    if (props) props.push(one)
    else nodes.set(node, [one])
  }
  for (const [node, props] of nodes) yield* given(world, entry, node, props)
  yield* sent(world, entry, args)
  if (entry.doc.kind === 'form') for (const [i, field] of entry.doc.fields.entries()) yield* bounded(world, entry, field, `/fields/${i}`)
  for (const place of entry.facts.steps) yield* asked(world, entry, place)
}

/** Props measure what the widget expects, and a currency among them is that of an amount. */
function* given(world: World, entry: Entry, node: NodePlace, props: readonly TypedPlace[]): Generator<UnitProblem> {
  const schema = world.widget(node.node.widget)?.props.properties ?? {}
  const members = props.map(({ place, type }) => {
    const { name, value, pointer } = place as ValuePlace
    const wanted = Object.hasOwn(schema, name) ? schema[name] : undefined
    const isCode = wanted?.coin === true && typeof value === 'string' && value !== ''
    return { pointer, value, wanted, type: isCode ? { ...type, coin: value } : type }
  })
  for (const { pointer, value, wanted, type } of members)
    for (const problem of wanted ? compared(type, wanted, pointer) : []) yield helped(problem, value, world.typesAt(entry, { node }))
  yield* besides(members)
}

/** Checks arguments of calls, of sources and of steps. */
function* sent(world: World, entry: Entry, args: ReadonlyMap<string, TypedPlace>): Generator<UnitProblem> {
  const calls: [pointer: string, call: string, types: Types][] = []
  if (entry.doc.kind === 'screen')
    for (const [name, { call }] of Object.entries(entry.doc.data ?? {})) calls.push([`/data/${name}`, call, entry.types])
  for (const place of entry.own.steps) {
    const sent = callOf(place.step)
    if (sent) calls.push([place.pointer, sent.call, world.typesAt(entry, place)])
  }
  for (const [at, name, types] of calls) {
    for (const [arg, wanted] of Object.entries(world.call(name)?.input.properties ?? {})) {
      const pointer = below(`${at}/args`, arg)
      const found = args.get(pointer)
      if (!found) continue
      for (const problem of compared(found.type, wanted, pointer)) {
        const { message } = problem
        yield helped({ ...problem, message: `${name}: ${message}` }, (found.place as ValuePlace).value, types)
      }
    }
  }
}

/** Compares the units of a type with those of a schema, member by member. */
function compared(type: JsonSchema, wanted: JsonSchema, pointer: string, depth = 0): (UnitProblem & { wanted: Counted })[] {
  if (depth > 4 || !saysUnit(wanted)) return []
  const target = countedOf(wanted)
  const counted = target && countedOf(type)
  const why = target && counted && misfit(counted, target)
  if (target && why !== undefined) return [{ pointer, message: why, wanted: target }]
  if (wanted.items && type.items) return compared(type.items, wanted.items, pointer, depth + 1)
  return Object.entries(wanted.properties ?? {}).flatMap(([name, part]) => {
    const own = type.properties && Object.hasOwn(type.properties, name) ? type.properties[name] : undefined
    return own ? compared(own, part, below(pointer, name), depth + 1) : []
  })
}

const saying = new WeakMap<JsonSchema, boolean>()
/** Whether a schema declares a unit anywhere. */
function saysUnit(schema: JsonSchema): boolean {
  const before = saying.get(schema)
  if (before !== undefined) return before
  const parts = [schema.items, ...(schema.anyOf ?? []), ...Object.values(schema.properties ?? {})]
  const says = schema.unit !== undefined || parts.some((part) => part !== undefined && saysUnit(part))
  saying.set(schema, says)
  return says
}

/** The problem, with a hint to a sibling member that has the wanted unit. */
function helped(problem: UnitProblem & { wanted: Counted }, value: unknown, types: Types): UnitProblem {
  const { wanted, ...rest } = problem
  const path = typeof value === 'object' && value !== null && '$' in value ? value.$ : undefined
  if (typeof path !== 'string' || !/^[\w.[\]-]+\.\w+$/.test(path)) return rest
  const parent = path.slice(0, path.lastIndexOf('.'))
  const right = Object.entries(typeOfPath(parent, types).type.properties ?? {}).flatMap(([name, type]) => {
    const counted = countedOf(type)
    return counted && !clash(counted, wanted) ? [name] : []
  })
  const own = path.slice(parent.length + 1)
  const near = right.find((name) => own.startsWith(`${name}_`)) ?? nearest(own, right) ?? (right.length === 1 ? right[0] : undefined)
  return near === undefined ? rest : { ...rest, suggestion: `${parent}.${near}` }
}

/** Bounds of a field have the unit of its value, and validations compare values of the same unit. */
function* bounded(world: World, entry: Entry, field: FieldDoc, at: string): Generator<UnitProblem> {
  const value = entry.types.form?.properties?.[field.name] ?? anything
  const counted = countedOf(value)
  for (const name of ['default', 'follows', 'min', 'max', 'step'] as const) {
    const bound = field[name] === undefined ? undefined : countedOf(typeOfValue(field[name], entry.types).type)
    const message = counted && bound && misfit(bound, counted)
    if (message !== undefined) yield { pointer: `${at}/${name}`, message: `"${name}": ${message}` }
  }
  const props = world.widget(field.widget)?.props.properties ?? {}
  for (const [name, prop] of Object.entries(field.props ?? {})) {
    const bound = props[name]?.decimal ? countedOf(typeOfValue(prop, entry.types).type) : undefined
    const message = counted && bound && misfit(bound, counted)
    if (message !== undefined) yield { pointer: `${at}${below('/props', name)}`, message: `"${name}": ${message}` }
  }
  for (const [i, rule] of (field.rules ?? []).entries()) {
    if (typeof rule === 'string' || !('use' in rule)) continue
    const validation = world.find('validation', rule.use)?.doc as ValidationDoc | undefined
    if (!validation) continue
    const params = withGiven(paramTypes(validation.params), rule.with, entry.types)
    if (!counted && !saysUnit(params)) continue
    const types: Types = { value, params }
    const problems = [...typeOfLogic(validation.test, types).problems, ...typeOfValue(validation.message, types).problems]
    for (const { message } of aboutUnits(problems))
      yield { pointer: `${at}/rules/${i}/with`, message: `validation "${rule.use}": ${message}` }
  }
}

/** A prompt shows its values with the right currency and format. */
function* asked(world: World, entry: Entry, place: StepPlace): Generator<UnitProblem> {
  const { step, pointer, node } = place
  const prompt = 'confirm' in step ? world.find('prompt', step.confirm) : undefined
  if (!('confirm' in step) || !prompt) return
  const params = withGiven(record({}), step.with, world.typesAt(entry, place))
  if (!saysUnit(params)) return
  const types: Types = { ...prompt.types, params, latest: params }
  const { values, logics } = prompt.facts
  for (const typed of [...values.map(({ value }) => typeOfValue(value, types)), ...logics.map(({ logic }) => typeOfLogic(logic, types))])
    for (const { message } of aboutUnits(typed.problems))
      yield {
        pointer: node?.fragment === undefined && step.with ? `${pointer}/with` : pointer,
        message: `prompt "${step.confirm}": ${message}`,
      }
}

/** Parameters with the types of the passed values. */
function withGiven(params: JsonSchema, values: Readonly<Record<string, unknown>> | undefined, types: Types): JsonSchema {
  const found = Object.entries(values ?? {}).map(([name, value]) => [name, typeOfValue(value, types).type] as const)
  return record({ ...params.properties, ...Object.fromEntries(found) })
}
