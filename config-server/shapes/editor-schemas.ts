import { sourcesOf } from '#config-server/files.ts'
import type { Kind, RoutesDoc } from '#language/documents/documents.ts'
import { parse } from '#language/documents/parse.ts'
import { eventOf } from '#language/text/short-nodes.ts'
import { type FieldType, usualWidgets } from '#language/text/shorthand.ts'
import type { Catalog, JsonSchema, SourceFile, WidgetManifest } from '#language/types/catalog.ts'
import { replaceableMembers } from '#language/types/prop-names.ts'

/**
 * JSON Schemas for editors: the meta schemas with all widgets, their props, slots and events, all calls, and the names in the documents of
 * the project, or of an app in examples/. An editor completes these names and underlines wrong ones. `npm run generate` writes the schemas to
 * schemas/meta/ of the project and of each app. The server judges documents by the same schemas (shape-check.ts), with open names: lint
 * compares those with the set that is checked.
 */

/** Names that documents of the project may use. */
export interface Names {
  route: readonly string[]
  prompt: readonly string[]
  fragment: readonly string[]
  form: readonly string[]
  validation: readonly string[]
  'quick-entries': readonly string[]
  text: readonly string[]
}

/** Names in sets of documents and texts; unreadable documents are ignored. @param sets the files of each set */
export function namesIn(sets: readonly (readonly SourceFile[])[]): Names {
  const sources = sets.map(sourcesOf)
  const documents = sources.flatMap(({ files }) => parse(files)).flatMap(({ documents: whole, partial }) => [...whole, ...partial])
  const sorted = (list: readonly string[]) => [...new Set(list)].sort()
  const ids = (kind: Kind) => sorted(documents.flatMap(({ doc }) => (doc.kind === kind ? [doc.id] : [])))
  const routes = documents.flatMap(({ doc }) => (doc.kind === 'routes' ? Object.entries((doc as RoutesDoc).routes) : []))
  const areas = sources.flatMap(({ texts }) => Object.entries(texts.en ?? Object.values(texts)[0] ?? {}))
  const keys = areas.flatMap(([area, table]) =>
    Object.keys(table).map((key) => `${area}.${key.replace(/_(?:zero|one|two|few|many|other)$/, '')}`),
  )
  return {
    route: sorted(routes.flatMap(([path, { aliases = [] }]) => [path, ...aliases])),
    text: sorted([...keys, ...documents.flatMap(({ text }) => keysWithContext(JSON.parse(text)))]),
    prompt: ids('prompt'),
    fragment: ids('fragment'),
    form: ids('form'),
    validation: ids('validation'),
    'quick-entries': ids('quick-entries'),
  }
}

/** Text keys used with a context: `event.kind` stands for `event.kind_recharge` and similar keys. */
function keysWithContext(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return []
  const { $t: key } = part as { $t?: unknown }
  return [...(typeof key === 'string' && 'context' in part ? [key] : []), ...Object.values(part).flatMap(keysWithContext)]
}

const nameKinds = ['route', 'prompt', 'fragment', 'form', 'validation', 'quick-entries', 'text'] as const satisfies readonly (keyof Names)[]
/** A text by its key, as `shortMark` tells it from other texts. */
const textKey = '^@[A-Za-z][\\w-]*\\.\\S+$'
/** A literal text: what starts like an expression or a key is neither, unless all of it stands in quotes. */
const literalText = `^(?!= \\S|${textKey.slice(1)})|^= (?:'[^'\\\\]*'|"(?:[^"\\\\]|\\\\.)*")$`

const namesFile = 'names.schema.json'
const widgetsFile = 'widgets.schema.json'
const named = (kind: string): JsonSchema => ({ $ref: `${namesFile}#/$defs/${kind}` })
const either = (...anyOf: JsonSchema[]): JsonSchema => ({ anyOf })
const expression: JsonSchema = { $ref: '#/$defs/expression' }
const shortExpression: JsonSchema = { type: 'string', pattern: '^= \\S', description: 'an expression' }
const inObject: JsonSchema = {
  type: 'object',
  properties: { $: { description: 'an expression', type: ['string', 'object'] } },
  required: ['$'],
  additionalProperties: false,
}
const textByKey: JsonSchema = { $ref: '#/$defs/text' }

/** The names as definitions; `open` ones may be any text. Without icons or markets any of them is allowed, as lint allows it. */
function namesSchema(names: Names | 'open', { icons, symbols }: Pick<Catalog, 'icons' | 'symbols'>): JsonSchema {
  const any = { type: 'string', pattern: literalText }
  const listed = (list: readonly string[]) => ({ type: 'string', ...oneOf(list) })
  const written =
    names === 'open'
      ? [...nameKinds.map((kind) => [kind, any] as const), ['said', { type: 'string', pattern: textKey }] as const]
      : [...nameKinds.map((kind) => [kind, listed(names[kind])] as const), ['said', listed(names.text.map((key) => `@${key}`))] as const]
  const known = Object.entries({ icon: icons, symbol: symbols }).map(
    ([kind, list]) => [kind, list.length > 0 ? listed(list) : { type: 'string' }] as const,
  )
  return { title: 'Names that documents may use', $defs: Object.fromEntries([...written, ...known]) }
}

/** Schema of a prop as documents write it: a literal or an expression; displayed text by its key. */
function written(schema: JsonSchema): JsonSchema {
  const { description } = schema
  const about = description === undefined ? {} : { description }
  return { ...about, ...either(...literal(schema), expression) }
}

function literal(schema: JsonSchema): JsonSchema[] {
  const { type, anyOf, items, properties, text, ref, decimal, fits: _, description: __, ...more } = schema
  const { unit: _unit, coin: _coin, per: _per, statusOf: _rows, required: _required, ...rest } = more
  if (more.shows) return []
  if (anyOf) return anyOf.flatMap(literal)
  // A text without words, such as a dash, is the same in all languages; an empty one has nothing to read.
  if (text) return [textByKey, { type: 'string', pattern: '^(?![\\s\\S]*\\p{L}{2})' }]
  // The stem of keys is no key itself; lint compares it with the texts.
  if (ref === 'text') return [{ ...rest, type: 'string' }]
  if (typeof ref === 'string') return [{ ...rest, ...named(ref) }]
  if (type === 'array') return [{ ...rest, type, ...(items && { items: written(items) }) }]
  if (type === 'object') {
    const members = Object.fromEntries(Object.entries(properties ?? {}).map(([name, part]) => [name, written(part)]))
    const isOpen = typeof rest.additionalProperties === 'object'
    return [
      {
        ...rest,
        ...needed(schema.required, schema),
        type,
        ...(properties && { properties: members }),
        ...(isOpen
          ? { additionalProperties: written(rest.additionalProperties as JsonSchema) }
          : properties
            ? { additionalProperties: false }
            : {}),
      },
    ]
  }
  if (decimal) return [{ type: ['string', 'number'] }, textByKey]
  // A text composed of other texts has a key too.
  const isText = type === 'string' && rest.enum === undefined && rest.const === undefined
  return isText ? [{ ...rest, type }, textByKey] : [{ ...rest, ...(type !== undefined && { type }) }]
}

/** Demands members of an object; a status may stand for the text beside it. */
function needed(required: readonly string[] = [], schema: JsonSchema): JsonSchema {
  const replaceable = replaceableMembers(schema)
  const always = required.filter((name) => !replaceable.has(name))
  const either = required.flatMap((name) => {
    const status = replaceable.get(name)
    return status === undefined ? [] : [{ anyOf: [{ required: [name] }, { required: [status] }] }]
  })
  return { ...(always.length > 0 && { required: always }), ...(either.length > 0 && { allOf: either }) }
}

const oneOf = (list: readonly string[]): JsonSchema => (list.length > 0 ? { enum: [...list] } : { not: {} })

/** Rules that depend on the widget of a node. Props of a field are not required, because the form sets some of them. */
function widgetRule({ type, props, events, slots }: WidgetManifest): JsonSchema {
  const needs = (required: readonly string[]): JsonSchema => ({
    properties: { props: needed(required, props) },
    required: required.length > 0 ? ['props'] : [],
  })
  const required = props.required ?? []
  const bindable = Object.keys(props.properties ?? {}).filter((prop) => events.includes(eventOf(prop)))
  const node: JsonSchema = {
    if: { required: ['id'] },
    then: {
      properties: {
        slots: { propertyNames: oneOf(Object.keys(slots)) },
        bind: bindable.includes('value')
          ? { type: ['string', 'object'], propertyNames: oneOf(bindable) }
          : bindable.length > 0
            ? { type: 'object', propertyNames: oneOf(bindable) }
            : false,
        ...(events.includes('press') ? {} : { go: false }),
      },
      if: { required: ['bind'] },
      then: needs(required.filter((prop) => !bindable.includes(prop))),
      else: needs(required),
    },
  }
  const both: JsonSchema = { properties: { props: { $ref: `#/$defs/props-${type}` }, on: { propertyNames: oneOf(events) } } }
  const named: JsonSchema = { properties: { widget: { type: 'string', pattern: `^${type}(@\\d+)?$` } }, required: ['widget'] }
  const shown = Object.keys(usualWidgets).filter((one) => usualWidgets[one as FieldType] === type)
  const usual: JsonSchema = { not: { required: ['widget'] }, properties: { type: { enum: shown } }, required: ['type'] }
  return {
    if: shown.length > 0 ? { anyOf: [named, usual] } : named,
    then: { allOf: [both, node] },
  }
}

function widgetsSchema(widgets: readonly WidgetManifest[]): JsonSchema {
  const types = widgets.map(({ type }) => type)
  const props = widgets.map(({ type, props: schema }) => {
    const [{ required: _, allOf: __, ...made }] = literal(schema) as [JsonSchema]
    return [`props-${type}`, made] as const
  })
  return {
    title: 'The properties that a node or field gives its widget',
    properties: { widget: { anyOf: [{ enum: types }, { pattern: `^(${types.join('|')})@\\d+$` }] } },
    allOf: widgets.map(widgetRule),
    $defs: {
      expression: either(shortExpression, {
        type: 'object',
        properties: { $: { description: 'an expression', type: ['string', 'object', 'number', 'boolean'] } },
        required: ['$'],
        additionalProperties: false,
      }),
      text: either(
        { ...named('said'), description: 'key of a text' },
        { type: 'object', properties: { $t: { ...named('text'), description: 'key of a text' } }, required: ['$t'] },
      ),
      ...Object.fromEntries(props),
    },
  }
}

/** The meta schema of a kind, extended by widgets, calls and names. */
function enriched(kind: string, schema: JsonSchema, { calls, topics }: Pick<Catalog, 'calls' | 'topics'>): JsonSchema {
  const described = (list: readonly (readonly [name: string, about: string])[]): JsonSchema =>
    list.length > 0 ? { enum: list.map(([name]) => name), enumDescriptions: list.map(([, about]) => about) } : oneOf([])
  const callNames = (onlyReads: boolean) =>
    described(calls.flatMap(({ name, reads, summary }) => (!onlyReads || reads ? [[name, summary] as const] : [])))
  // Only a fragment takes the name of a call or topic, or a duration, from a parameter.
  const orParam = ({ anyOf: _, ...part }: JsonSchema, literal: JsonSchema): JsonSchema =>
    kind === 'fragment' ? { ...part, anyOf: [literal, shortExpression, inObject] } : { ...part, ...literal }
  const member: Record<string, (part: JsonSchema, holder: Record<string, JsonSchema>) => JsonSchema> = {
    call: (part, holder) =>
      kind === 'flow' ? { ...part, ...callNames(false) } : orParam(part, { type: 'string', ...callNames('keepMs' in holder) }),
    export: (part) => orParam(part, { type: 'string', ...callNames(false) }),
    keepMs: (part) => orParam(part, part.anyOf?.[0] ?? {}),
    everyMs: (part) => orParam(part, part.anyOf?.[0] ?? {}),
    confirm: (part) => ({ ...part, ...named('prompt') }),
    go: (part) => ({ ...part, anyOf: part.anyOf ? [named('route'), shortExpression, ...part.anyOf.slice(1)] : [named('route')] }),
    to: (part) => ({ ...part, ...named('route') }),
    live: (part) => {
      const names = described(topics.map(({ name, about }) => [name, about]))
      const [one, several] = part.anyOf ?? []
      return {
        ...part,
        anyOf: [orParam(one ?? {}, { type: 'string', ...names }), { ...several, items: { ...several?.items, ...names } }],
      }
    },
  }
  const walk = (part: unknown, at: string): unknown => {
    if (Array.isArray(part)) return part.map((one) => walk(one, ''))
    if (typeof part !== 'object' || part === null) return part
    const made = Object.fromEntries(Object.entries(part).map(([name, inside]) => [name, walk(inside, name)])) as JsonSchema
    const { properties } = made
    if (kind !== 'flow' && !verbatim.has(at) && isAnyText(made)) made.pattern = literalText
    if (made.expression && made.anyOf)
      made.anyOf = made.anyOf.map((one) => (one.pattern === literalText ? { ...one, pattern: `^(?!${textKey.slice(1)})` } : one))
    if (properties) {
      for (const [name, change] of Object.entries(member)) {
        const before = properties[name]
        if (before && (before.type === 'string' || before.anyOf)) properties[name] = change(before, properties)
      }
      if (properties.use?.type === 'string')
        properties.use = { ...properties.use, ...named('as' in properties ? 'fragment' : 'validation') }
      if (properties.widget && properties.props) made.allOf = [{ $ref: widgetsFile }]
    }
    return made
  }
  return walk(schema, '') as JsonSchema
}

/** Members whose text has no short form: names of members, and those that `lengthened` leaves as they are. */
const verbatim = new Set(['propertyNames', '$schema', 'about', '$', '$t'])
const isAnyText = ({ type, pattern, enum: words, const: only }: JsonSchema) =>
  [type].flat().includes('string') && pattern === undefined && words === undefined && only === undefined

/** All files for editors by name. @param names `open`: any name may stand where a document, a route or a text is named */
export function editorSchemas(
  schemas: Readonly<Record<Kind, JsonSchema>>,
  catalog: Omit<Catalog, 'functions'>,
  names: Names | 'open',
): Record<string, JsonSchema> {
  // The theme of an app says only what differs from the project's.
  const { theme } = schemas
  const described = catalog.ownContract ? { ...schemas, theme: { ...theme, required: ['kind', 'id', 'format'] } } : schemas
  return {
    ...Object.fromEntries(Object.entries(described).map(([kind, schema]) => [`${kind}.schema.json`, enriched(kind, schema, catalog)])),
    [widgetsFile]: widgetsSchema(catalog.widgets),
    [namesFile]: namesSchema(names, catalog),
  }
}
