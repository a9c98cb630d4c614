import type { AnyDoc, AppDoc, FieldDoc, FormDoc, FragmentParamDoc, ListDoc, ScreenDoc, Step } from '#language/documents/documents.ts'
import { limits } from '#language/documents/limits.ts'
import type { Root } from '#language/expression/scope.ts'
import type { Catalog, FunctionManifest, JsonSchema } from '#language/types/catalog.ts'

/** Types of all roots of a scope, and the functions that expressions may call. An empty schema allows anything. */
export type Types = Readonly<Partial<Record<Root, JsonSchema>>> & { readonly functions?: readonly FunctionManifest[] }

export const anything: JsonSchema = {}
/** Whether nothing is known of a type. */
export const isUnknown = ({ type, anyOf, properties, enum: words }: JsonSchema) => !type && !anyOf && !properties && !words
const flag: JsonSchema = { type: 'boolean' }
const word: JsonSchema = { type: 'string' }
const decimal: JsonSchema = { type: 'string', decimal: true }
/** Text entered by people or stored on the device, which may be an amount or a word of a list. */
const loose: JsonSchema = { type: 'string', loose: true }

export function record(properties: Record<string, JsonSchema>): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}

/** Type of the session: `user` is the answer of user.info, absent for visitors. */
function sessionTypes(catalog: Catalog, app: AppDoc | undefined): JsonSchema {
  const user = catalog.calls.find(({ name }) => name === 'user.info')?.output ?? anything
  const state = { type: 'string', enum: ['visitor', 'checking', 'customer'] }
  const language = app ? { type: 'string', enum: app.languages.map(({ id }) => id) } : word
  return record({
    logged_in: flag,
    state,
    user,
    uid: word,
    language,
    fiat: word,
    fiat_time: { type: 'integer', unit: 'ms' },
    kyc: { type: 'integer' },
  })
}

const price: JsonSchema = { ...decimal, unit: 'price' }
const quote = record({
  symbol: word,
  last: price,
  open24h: price,
  high24h: price,
  low24h: price,
  volume24h: { ...decimal, unit: 'amount' },
  change: { ...decimal, unit: 'share' },
  ts: { type: 'integer', unit: 'ms' },
  seq: { type: 'integer' },
})
const feed: JsonSchema = { type: 'object', additionalProperties: quote }

/** Type of a literal. A list may change, so only its first member determines the type of its items. */
export function literalType(value: unknown): JsonSchema {
  if (typeof value === 'string') return { ...loose, const: value }
  if (typeof value === 'number') return { type: Number.isInteger(value) ? 'integer' : 'number', const: value }
  if (typeof value === 'boolean') return { ...flag, const: value }
  if (Array.isArray(value))
    return { type: 'array', items: value.length > 0 ? widened(literalType(value[0])) : anything, maxItems: value.length }
  if (typeof value !== 'object' || value === null) return anything
  return record(Object.fromEntries(Object.entries(value).map(([name, part]) => [name, literalType(part)])))
}

/** Type of a value that starts as a literal and may change: it keeps its type but not its value. */
function widened(type: JsonSchema): JsonSchema {
  const { const: _, maxItems: __, ...rest } = type
  if (rest.type === 'integer') return { ...rest, type: 'number' }
  return rest.properties
    ? { ...rest, properties: Object.fromEntries(Object.entries(rest.properties).map(([name, part]) => [name, widened(part)])) }
    : rest
}

function paramType(param: FragmentParamDoc): JsonSchema {
  if (param.type === 'decimal') return decimal
  if (param.type === 'enum') return { type: 'string', enum: param.values ?? [] }
  if (param.type === 'list') return { type: 'array', items: anything }
  if (param.type === 'record') return anything
  return param.type === 'string' ? loose : { type: param.type }
}

export function paramTypes(params: Readonly<Record<string, FragmentParamDoc>> | undefined): JsonSchema {
  return record(Object.fromEntries(Object.entries(params ?? {}).map(([name, param]) => [name, paramType(param)])))
}

/** A list of records with declared members. */
function recordList({ key, of, max = limits.recordsMax }: Pick<ListDoc, 'key' | 'of' | 'max'>): JsonSchema {
  return { type: 'array', items: paramTypes(of), key, maxItems: max }
}

/** Members that the engine gives the rows that it shows until the server answers. */
const sendingMembers: Record<string, JsonSchema> = {
  sending: { type: 'string', enum: ['pending', 'sent', 'failed'] },
  sendingProblem: { ...word, text: true },
}

/** The type of the rows of a list; undefined for an answer that is none. */
export function rowsIn(output: JsonSchema): JsonSchema | undefined {
  const list = output.type === 'array' ? output : output.properties?.list
  return list?.type === 'array' ? list.items : undefined
}

/** The answer of a list whose rows customers send. */
function withSending(output: JsonSchema): JsonSchema {
  const rows = rowsIn(output)
  if (!rows?.properties) return output
  const list = (whole: JsonSchema = {}) => ({ ...whole, items: { ...rows, properties: { ...rows.properties, ...sendingMembers } } })
  return output.type === 'array' ? list(output) : { ...output, properties: { ...output.properties, list: list(output.properties?.list) } }
}

/** Value of a source with pages: the rows loaded so far, their total number, and whether there are more. */
export function paged(output: JsonSchema): JsonSchema {
  const { list = { type: 'array', items: anything }, total = { type: 'integer' } } = output.properties ?? {}
  // Pages are put together, so the most rows of a page bound nothing.
  const { maxItems: _, ...rows } = list
  return record({ list: rows, total, more: flag, loadingMore: flag })
}

/** Value of a field during input: text, except for switches and lists. Numbers are decimal text. */
export function fieldType({ type, options, fields }: FieldDoc): JsonSchema {
  if (type === 'rows') return { type: 'array', items: rowType(fields ?? []), maxItems: limits.rowsMax }
  if (type === 'decimal' || type === 'integer') return decimal
  if (type === 'boolean') return flag
  if (type === 'list') return { type: 'array', items: loose }
  if (type !== 'enum' || !Array.isArray(options)) return loose
  const ids = options.map((one) => (typeof one === 'object' && one !== null && !Array.isArray(one) ? one.id : undefined))
  return ids.every((one) => typeof one === 'string') ? { type: 'string', enum: ids } : loose
}

/** One row of a field of type rows: the entered values by field. */
export const rowType = (fields: readonly FieldDoc[]): JsonSchema =>
  record(Object.fromEntries(fields.map((field) => [field.name, fieldType(field)])))

/** Root `form`: the entered values by field. */
function formTypes(doc: FormDoc): JsonSchema {
  return record(Object.fromEntries(doc.fields.map((field) => [field.name, fieldType(field)])))
}

function dataTypes(doc: Pick<ScreenDoc, 'data'>, catalog: Catalog): JsonSchema {
  const types = Object.entries(doc.data ?? {}).map(([name, source]) => {
    const answer = catalog.calls.find((call) => call.name === source.call)?.output
    const output = answer && source.send ? withSending(answer) : answer
    return [name, output === undefined ? anything : source.pages ? paged(output) : output] as const
  })
  return record(Object.fromEntries(types))
}

function deviceTypes(app: AppDoc | undefined): JsonSchema {
  if (!app) return anything
  const types = Object.entries(app.device).map(([name, { type, values, key, of, max = limits.deviceListMax }]): [string, JsonSchema] => {
    if (type === 'list' && key !== undefined && of) return [name, recordList({ key, of, max })]
    if (type === 'list') return [name, { type: 'array', items: anything, maxItems: max }]
    if (type === 'enum') return [name, { type: 'string', enum: values ?? [] }]
    return [name, type === 'boolean' ? flag : loose]
  })
  return record(Object.fromEntries(types))
}

/** A constant changes with releases only, so a list keeps its length. */
function constantType(value: unknown): JsonSchema {
  const type = literalType(value)
  return type.maxItems === undefined ? widened(type) : { ...widened(type), maxItems: type.maxItems }
}

function appTypes(app: AppDoc | undefined): JsonSchema {
  if (!app) return anything
  // A list that people write into one document is far below the limit of an iteration.
  const list = { type: 'array', items: word, maxItems: limits.expressionItemsMax }
  const language = record({ id: word, label: word, tag: word, aliases: list })
  const constants = Object.entries(app.constants).map(([name, value]) => [name, constantType(value)] as const)
  return record({
    ...Object.fromEntries(constants),
    tab: word,
    origin: word,
    languages: { ...list, items: language, key: 'id' },
    fiats: list,
    links: list,
  })
}

/** Segments of customers, each true or false. */
const segmentTypes = (app: AppDoc | undefined): JsonSchema =>
  app ? record(Object.fromEntries(Object.keys(app.segments ?? {}).map((name) => [name, flag]))) : anything

/** Types of values that start as literals. */
const mappedTypes = (state: Readonly<Record<string, unknown>> = {}) =>
  Object.fromEntries(Object.entries(state).map(([name, value]) => [name, widened(literalType(value))]))
/** A fragment reads its own names, and those of the documents that use it. */
const open = (own: JsonSchema): JsonSchema => ({ ...own, additionalProperties: anything })

/** Types of the roots that a document may read. Roots of rows and actions depend on the place. */
export function typesOf(doc: AnyDoc, catalog: Catalog, app: AppDoc | undefined): Types {
  const { functions } = catalog
  const common = {
    functions,
    session: sessionTypes(catalog, app),
    feed,
    app: appTypes(app),
    device: deviceTypes(app),
    segment: segmentTypes(app),
  }
  if (doc.kind === 'screen') {
    const lists = Object.entries(doc.lists ?? {}).map(([name, list]) => [name, recordList(list)] as const)
    const state = record({ ...mappedTypes(doc.state), ...Object.fromEntries(lists) })
    return { ...common, params: paramTypes(doc.params), state, data: dataTypes(doc, catalog), form: anything }
  }
  if (doc.kind === 'fragment')
    return {
      ...common,
      params: paramTypes(doc.params),
      state: open(record(mappedTypes(doc.state))),
      data: open(dataTypes(doc, catalog)),
      form: anything,
      item: anything,
      index: anything,
      row: anything,
    }
  if (doc.kind === 'prompt') return { ...common, params: anything, item: anything, index: anything, row: anything }
  if (doc.kind === 'validation') return { ...common, value: anything, params: paramTypes(doc.params) }
  if (doc.kind === 'form') return { ...common, params: anything, state: anything, data: anything, form: formTypes(doc) }
  return common
}

/** `result.<as>` of the calls in a list of steps. */
export function resultTypes(steps: readonly Step[], catalog: Catalog): JsonSchema {
  const types: Record<string, JsonSchema> = {}
  const visit = (list: readonly Step[]): void => {
    for (const step of list) {
      if ('call' in step && step.as !== undefined) types[step.as] = catalog.calls.find(({ name }) => name === step.call)?.output ?? anything
      if ('upload' in step) types[step.as] = catalog.calls.find(({ name }) => name === 'common.upload')?.output ?? anything
      if ('if' in step) {
        visit(step.then)
        visit(step.else ?? [])
      }
    }
  }
  visit(steps)
  return record(types)
}

/** The type without null, which does not affect what can be read from it. */
export function withoutNull(type: JsonSchema): JsonSchema {
  if (Array.isArray(type.type)) return withoutNull({ anyOf: type.type.map((one) => ({ ...type, type: one })) })
  if (!type.anyOf) return type
  const rest = type.anyOf.filter((one) => one.type !== 'null')
  return rest.length === 1 ? (rest[0] as JsonSchema) : { ...type, anyOf: rest }
}
