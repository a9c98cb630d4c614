import type { FieldDoc, FormDoc, ParamDoc } from '#language/documents/documents.ts'
import { type Bounds, entryValue, isEmptyValue, schemaOf, type Wrong, wrongIn } from '#language/documents/field-values.ts'
import { isObject } from '#language/documents/json.ts'
import { paramValue } from '#language/documents/param-values.ts'
import { compare } from '#language/expression/arithmetic.ts'
import { decimalOf } from '#language/expression/decimal.ts'
import { answersOf } from '#language/lint/trees.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'
import { below } from '#language/text/position.ts'
import type { LintProblem } from '#language/types/catalog.ts'

/** Literals of documents are judged as what a customer enters, by the same code: a default that its own field refuses cannot be sent. */

const says: Record<Wrong['key'], string> = {
  not_a_number: 'it is no number: write digits, with a dot before decimals and without an exponent',
  not_whole: 'it is not a whole number',
  too_small: 'it is less than the "min" of the field',
  too_great: 'it is more than the "max" of the field',
  not_a_step: 'it is not a multiple of the "step" of the field',
  not_a_step_from: 'it is not on the steps of the field, which count from its "min"',
  too_many_decimals: 'it has more than 18 decimals',
  too_short: 'it is shorter than the "minLength" of the field',
  too_long: 'it is longer than the "maxLength" of the field',
  odd_characters: 'it is no text, or has characters that nobody can see',
  choose_one: 'it is none of the options, or the same one twice',
  choose_fewer: 'it has more members than "max"',
  choose_more: 'it has fewer members than "min"',
  date_wrong: 'it is no day of the calendar: write yyyy-mm-dd',
  date_early: 'it is before the "min" of the field',
  date_late: 'it is after the "max" of the field',
  file_wrong: 'it is no address of a file',
  code_length: 'it is not as many digits as the field takes',
  too_few_rows: 'it has fewer rows than "min"',
  too_many_rows: 'it has more rows than "max", or is no list of rows',
}

/** Whether nothing in a value is computed or said in words. */
function isLiteral(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  return !('$' in value) && !('$t' in value) && Object.values(value).every(isLiteral)
}
/** A bound that is written down; undefined for one that is computed. Labels of options may be texts. */
function written(value: unknown): unknown {
  if (Array.isArray(value)) {
    const ids = value.map((one) => (typeof one === 'object' && one !== null && 'id' in one ? one.id : one))
    return ids.every(isLiteral) ? ids : undefined
  }
  return isLiteral(value) ? value : undefined
}
const boundsOf = ({ min, max, step, options }: FieldDoc): Bounds => ({
  min: written(min),
  max: written(max),
  step: written(step),
  options: written(options),
})

/** Why a field refuses a value that a document gives it; undefined when it takes it, or when there is nothing to judge. */
function refusal(field: FieldDoc, value: unknown): string | undefined {
  if (value === undefined || !isLiteral(value)) return undefined
  const bounds = boundsOf(field)
  // A customer pastes marks that nobody sees; in a document they are a mistake.
  const entry = field.type === 'string' && typeof value === 'string' ? value.trim() || null : entryValue(field.type, value, bounds.options)
  if (isEmptyValue(entry)) return undefined
  const wrong = wrongIn(
    schemaOf(field, () => bounds),
    field,
    entry,
  )
  return wrong && `the field "${field.name}" refuses ${JSON.stringify(value)}: ${says[wrong.key]}`
}

/** Checks literal defaults and bounds of fields, defaults of parameters, and literals that steps write to fields or give to routes. */
export const literals: Check = function* (world) {
  for (const entry of world.entries) {
    const { doc } = entry
    if (doc.kind === 'form') {
      for (const [i, field] of doc.fields.entries()) {
        const why = refusal(field, field.default)
        if (why !== undefined) yield world.report('literals', entry, `/fields/${i}/default`, why)
        yield* bounds(world, entry, field, `/fields/${i}`)
        for (const [n, cell] of (field.fields ?? []).entries()) {
          const at = `/fields/${i}/fields/${n}`
          const wrong = refusal(cell, cell.default)
          if (wrong !== undefined) yield world.report('literals', entry, `${at}/default`, wrong)
          yield* bounds(world, entry, cell, at)
        }
      }
      yield* setInForm(world, entry, doc)
    }
    if (doc.kind === 'screen' || doc.kind === 'fragment' || doc.kind === 'validation')
      for (const [name, param] of Object.entries(doc.params ?? {}))
        yield* defaults(world, entry, name, param as ParamDoc, below('/params', name))
    if (doc.kind === 'screen')
      for (const [list, { of }] of Object.entries(doc.lists ?? {}))
        for (const [name, member] of Object.entries(of))
          yield* defaults(world, entry, name, member, below(`${below('/lists', list)}/of`, name))
    if (doc.kind === 'app')
      for (const [name, key] of Object.entries(doc.device)) {
        if (key.type !== 'list') yield* defaults(world, entry, name, key as ParamDoc, below('/device', name))
        else
          for (const [member, of] of Object.entries(key.of ?? {}))
            yield* defaults(world, entry, member, of, below(`${below('/device', name)}/of`, member))
      }
    yield* routed(world, entry)
  }
}

/** Bounds that bind nothing, because they are not what the type compares with. */
function* bounds(world: World, entry: Entry, field: FieldDoc, at: string): Generator<LintProblem> {
  const { type } = field
  const { min, max, step } = boundsOf(field)
  const day = { ...field, type: 'date', min: undefined, max: undefined } as FieldDoc
  for (const [name, bound] of Object.entries({ min, max, step })) {
    if (bound === undefined || bound === null) continue
    const why =
      type === 'date'
        ? typeof bound === 'number' || refusal(day, bound) === undefined
          ? undefined
          : says.date_wrong
        : !decimalOf(bound)
          ? says.not_a_number
          : (type === 'integer' || type === 'list' || type === 'rows') && !/^-?\d+$/.test(String(bound))
            ? says.not_whole
            : name === 'step' && compare(bound, 0) !== 1
              ? 'a step is above zero'
              : undefined
    if (why !== undefined) yield world.report('literals', entry, `${at}/${name}`, `"${name}" is ${JSON.stringify(bound)}: ${why}`)
  }
  const areWrong = type === 'date' ? String(min) > String(max) : compare(min, max) === 1
  if (min !== undefined && max !== undefined && areWrong)
    yield world.report('literals', entry, `${at}/min`, `no value satisfies "min" and "max" of "${field.name}"`)
}

/** Values that steps of a form write to its own fields. */
function* setInForm(world: World, entry: Entry, { fields }: FormDoc): Generator<LintProblem> {
  for (const { step, pointer } of entry.own.steps) {
    if (!('set' in step)) continue
    for (const [path, value] of Object.entries(step.set)) {
      const field = path.startsWith('form.') ? fields.find(({ name }) => path === `form.${name}`) : undefined
      const why = field && refusal(field, value)
      if (why !== undefined) yield world.report('literals', entry, below(`${pointer}/set`, path), why)
    }
  }
}

function* defaults(world: World, entry: Entry, name: string, param: ParamDoc, at: string): Generator<LintProblem> {
  const { type, default: value } = param
  if (
    value === undefined ||
    value === null ||
    (value === '' && (type === 'string' || type === 'decimal')) ||
    (entry.doc.kind === 'fragment' && type === 'string' && isObject(value) && '$t' in value) ||
    !['string', 'integer', 'decimal', 'boolean', 'enum'].includes(type)
  )
    return
  const kind = type === 'integer' ? 'number' : type === 'boolean' ? 'boolean' : 'string'
  const isRight = type === 'decimal' ? decimalOf(value) !== undefined : typeof value === kind && paramValue(String(value), param) === value
  if (!isRight) yield world.report('literals', entry, `${at}/default`, wrongParam(name, type, value))
}

const kinds: Record<ParamDoc['type'], string> = {
  string: 'a text of at most 2,000 characters',
  integer: 'a whole number of at most 15 digits',
  decimal: 'a decimal as text: digits, with a dot before decimals and without an exponent',
  boolean: 'true or false',
  enum: 'one of its values',
}
const wrongParam = (name: string, type: ParamDoc['type'], value: unknown) => `"${name}" takes ${kinds[type]}, not ${JSON.stringify(value)}`

/** Literals in the parameters of a `go` step, as the address of the screen reads them. */
function* routed(world: World, entry: Entry): Generator<LintProblem> {
  for (const { step, pointer } of entry.own.steps) {
    if (!('go' in step)) continue
    for (const to of answersOf(step.go) ?? []) {
      const screen = typeof to === 'string' ? world.route(to)?.screen : undefined
      const found = screen === undefined ? undefined : world.find('screen', screen)?.doc
      if (found?.kind !== 'screen') continue
      for (const [name, value] of Object.entries(step.params ?? {})) {
        const param = Object.hasOwn(found.params ?? {}, name) ? found.params?.[name] : undefined
        if (!param || value === null || value === '' || !isLiteral(value)) continue
        if (typeof value === 'object' || paramValue(String(value), param) === undefined)
          yield world.report('literals', entry, below(`${pointer}/params`, name), wrongParam(name, param.type, value))
      }
    }
  }
}
