import * as z from 'zod'
import type { CallRow } from '#contract/call.ts'
import { type ProblemCode, problems } from '#contract/problem.ts'

/** Problems that every call may answer besides its own. */
const commonProblems: readonly ProblemCode[] = [
  'parameter_error',
  'parameter_missing',
  'text_too_long',
  'not_found',
  'method_not_allowed',
  'body_too_large',
  'body_unreadable',
  'too_many_requests',
  'internal',
  'busy',
]

type Json = Record<string, unknown>

/** Words of JSON Schema that the contract uses. Others are ours, for documents and editors, and get `x-`. */
const standardWords = new Set(
  (
    'type enum const properties required items prefixItems anyOf oneOf allOf not additionalProperties propertyNames patternProperties minimum maximum ' +
    'exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern format minItems maxItems uniqueItems minProperties maxProperties default ' +
    'description title deprecated examples readOnly writeOnly contentEncoding contentMediaType $ref'
  ).split(' '),
)
const namedSchemas = new Set(['properties', 'patternProperties'])
const listedSchemas = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const innerSchemas = new Set(['items', 'additionalProperties', 'propertyNames', 'not'])
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Goes through a schema and all schemas in it, the inner ones first. */
function eachSchema(schema: Json, change: (schema: Json, key: string) => Json, key = ''): Json {
  const inside = (value: unknown, name: string) => (isObject(value) ? eachSchema(value, change, name) : value)
  const entries = Object.entries(schema).map(([word, value]) => {
    if (namedSchemas.has(word) && isObject(value))
      return [word, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inside(one, name)]))]
    if (listedSchemas.has(word) && Array.isArray(value)) return [word, value.map((one) => inside(one, key))]
    return [word, innerSchemas.has(word) ? inside(value, key) : value]
  })
  return change(Object.fromEntries(entries) as Json, key)
}

const prefixed = (schema: Json): Json =>
  Object.fromEntries(Object.entries(schema).map(([word, value]) => [standardWords.has(word) ? word : `x-${word}`, value]))

function schemaOf(type: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema, ...schema } = z.toJSONSchema(type, { io, unrepresentable: 'any' }) as Json
  return eachSchema(schema, prefixed)
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
/** `lever.orderList` → `LeverOrderList` */
const schemaName = (...parts: string[]) =>
  parts
    .flatMap((part) => part.split(/[^A-Za-z0-9]+/))
    .map(capital)
    .join('')

/** An object with fewer fields is written where it stands. */
const namedFieldsMin = 3

/** Objects under names in components. The same object has one name: that of the call and of the field where it stood first. */
class Components {
  readonly schemas: Json = {}
  readonly #names = new Map<string, string>()

  /** @returns a reference */
  add(name: string, schema: Json): Json {
    const text = JSON.stringify(schema)
    let known = this.#names.get(text)
    if (known === undefined) {
      known = name
      for (let n = 2; known in this.schemas; n++) known = `${name}${n}`
      this.#names.set(text, known)
      this.schemas[known] = schema
    }
    return { $ref: `#/components/schemas/${known}` }
  }

  /** Names all larger objects in a schema of a call. */
  named(call: string, kind: string, schema: Json): Json {
    const isLarge = ({ type, properties }: Json) =>
      type === 'object' && isObject(properties) && Object.keys(properties).length >= namedFieldsMin
    return eachSchema(schema, (one, key) => (isLarge(one) ? this.add(schemaName(call, kind, key), one) : one))
  }
}

/** Fields that every call accepts besides its own. */
const everyCall: Json = {
  lang: { type: 'string', description: 'language of the answer; en when it is unknown' },
  agent_id: { type: 'string', maxLength: 60, description: 'which app or partner calls' },
}

const keyParameter: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'The change is made once per key: the same key with the same fields gets the stored answer for a day, with other fields key_reused. ' +
    'A refusal changes nothing and is not stored: the same key may be sent again, also with corrected fields.',
  schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
}
const replayedHeader: Json = {
  'Idempotent-Replayed': {
    description: 'true when the answer is the stored one of an earlier call with the same key, and absent otherwise',
    schema: { const: 'true' },
  },
}

function inputOf(row: CallRow): Json {
  const schema = schemaOf(row.input, 'input')
  const older = Object.fromEntries((row.ignored ?? []).map((name) => [name, { type: 'string', deprecated: true, description: 'ignored' }]))
  const properties = { ...(schema.properties as Json), ...older, ...everyCall }
  return { ...schema, properties, ...(row.keyed && { additionalProperties: false }) }
}

const refused = (names: readonly ProblemCode[]): Json => ({
  description: names.join(', '),
  content: {
    'application/json': {
      schema: {
        allOf: [
          { $ref: '#/components/schemas/Refusal' },
          { properties: { name: { enum: names }, code: { enum: names.map((name) => problems[name].code) } } },
        ],
      },
    },
  },
})

function responsesOf(name: string, row: CallRow, components: Components): Json {
  // Problems of the console only do not occur in rows of the API.
  const isGated = row.auth === 'user' && !row.reads && !row.whileFrozen
  const own = [
    ...(isGated ? (['account_frozen'] as const) : []),
    ...(row.keyed ? (['parameter_unknown'] as const) : []),
    ...(row.problems as readonly ProblemCode[]),
  ]
  const names = [...new Set([...(row.auth === 'user' ? (['unauthorized'] as const) : []), ...own, ...commonProblems])]
  const byStatus = grouped(names)
  const envelope = {
    type: 'object',
    required: ['code', 'msg', 'data'],
    properties: { code: { const: 1 }, msg: { type: 'string' }, data: components.named(name, '', schemaOf(row.output, 'output')) },
  }
  return {
    200: { description: 'code 1', ...(row.keyed && { headers: replayedHeader }), content: { 'application/json': { schema: envelope } } },
    ...Object.fromEntries([...byStatus].map(([status, some]) => [status, refused(some)])),
  }
}

function grouped(names: readonly ProblemCode[]): Map<number, ProblemCode[]> {
  const groups = new Map<number, ProblemCode[]>()
  for (const name of names) {
    const status = problems[name].http
    groups.set(status, [...(groups.get(status) ?? []), name])
  }
  return groups
}

function bodyOf(name: string, row: CallRow, input: Json, components: Components): Json {
  if (!row.upload) return { content: { 'application/x-www-form-urlencoded': { schema: components.add(schemaName(name, 'form'), input) } } }
  const file = { type: 'string', format: 'binary' }
  const required = [...((input.required as string[] | undefined) ?? []), 'file']
  const schema = { ...input, properties: { ...(input.properties as Json), file }, required }
  return { required: true, content: { 'multipart/form-data': { schema } } }
}

/** The rules of a call that its row states, in sentences. */
function descriptionOf(row: CallRow): string {
  const sentences = [
    row.auth === 'user' ? 'Needs the token of a customer.' : 'Open to everybody.',
    row.keyed ? 'With an Idempotency-Key the change is made once.' : '',
    row.keyed ? 'A field that is not named here is refused.' : 'A field that is not named here is ignored.',
    row.auth === 'user' && (row.reads || row.whileFrozen) ? 'A frozen account may call it.' : '',
    row.upload ? 'The body is multipart/form-data with one file.' : '',
  ]
  return [`${row.summary.replace(/\.$/, '')}.`, ...sentences.filter(Boolean)].join(' ')
}

function operationOf(name: string, row: CallRow, components: Components): Json {
  const input = inputOf(row)
  const required = new Set((input.required as string[] | undefined) ?? [])
  const inQuery = row.method === 'GET' || row.method === 'DELETE'
  const query = Object.entries(input.properties as Json).map(([field, schema]) => ({
    name: field,
    in: 'query',
    required: required.has(field),
    schema,
  }))
  const parameters = [...(row.keyed ? [keyParameter] : []), ...(inQuery ? query : [])]
  return {
    operationId: name,
    summary: row.summary,
    description: descriptionOf(row),
    tags: [name.split('.')[0]],
    security: row.auth === 'user' ? [{ token: [] }] : [],
    ...(parameters.length && { parameters }),
    ...(!inQuery && { requestBody: bodyOf(name, row, input, components) }),
    responses: responsesOf(name, row, components),
  }
}

/**
 * The contract as OpenAPI 3.1. Generated from the rows that routes and client use, so they always agree.
 * @param url where the server is reached; `/` is where the description comes from
 */
export function openApi(rows: Record<string, CallRow>, prefix: string, version: string, url = '/'): Json {
  const components = new Components()
  const paths: Record<string, Json> = {}
  for (const [name, row] of Object.entries(rows)) {
    const path = prefix + row.path
    paths[path] = { ...paths[path], [row.method.toLowerCase()]: operationOf(name, row, components) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tessera API',
      version,
      description: 'Bodies are form-encoded. Success is code 1 with data; any other code comes with its machine name and a message.',
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url }],
    tags: [...new Set(Object.keys(rows).map((name) => name.split('.')[0]))]
      .sort()
      .map((name) => ({ name, description: `Calls ${name}.…` })),
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: {
        ...components.schemas,
        Refusal: {
          type: 'object',
          required: ['code', 'msg', 'data', 'name'],
          properties: {
            code: { type: 'integer' },
            msg: { type: 'string', description: 'in the language of the request' },
            data: { type: 'null' },
            name: { enum: Object.keys(problems), description: 'machine name, a translation key' },
            field: { type: 'string', description: 'the field that is wrong' },
            reason: { type: 'string', description: 'of body_unreadable, in English: the header or position that is wrong' },
          },
        },
      },
    },
  }
}
