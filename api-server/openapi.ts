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

function schemaOf(type: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema, ...schema } = z.toJSONSchema(type, { io, unrepresentable: 'any' }) as Json
  return schema
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

function responsesOf(row: CallRow): Json {
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
    properties: { code: { const: 1 }, msg: { type: 'string' }, data: schemaOf(row.output, 'output') },
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

function bodyOf(row: CallRow, input: Json): Json {
  if (!row.upload) return { content: { 'application/x-www-form-urlencoded': { schema: input } } }
  const file = { type: 'string', format: 'binary' }
  const required = [...((input.required as string[] | undefined) ?? []), 'file']
  const schema = { ...input, properties: { ...(input.properties as Json), file }, required }
  return { required: true, content: { 'multipart/form-data': { schema } } }
}

function operationOf(name: string, row: CallRow): Json {
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
    tags: [name.split('.')[0]],
    security: row.auth === 'user' ? [{ token: [] }] : [],
    ...(parameters.length && { parameters }),
    ...(!inQuery && { requestBody: bodyOf(row, input) }),
    responses: responsesOf(row),
  }
}

/** The contract as OpenAPI 3.1. Generated from the rows that routes and client use, so they always agree. */
export function openApi(rows: Record<string, CallRow>, prefix: string, version: string): Json {
  const paths: Record<string, Json> = {}
  for (const [name, row] of Object.entries(rows)) {
    const path = prefix + row.path
    paths[path] = { ...paths[path], [row.method.toLowerCase()]: operationOf(name, row) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tessera API',
      version,
      description: 'Bodies are form-encoded. Success is code 1 with data; any other code comes with its machine name and a message.',
    },
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: {
        Refusal: {
          type: 'object',
          required: ['code', 'msg', 'data', 'name'],
          properties: {
            code: { type: 'integer' },
            msg: { type: 'string', description: 'in the language of the request' },
            data: { type: 'null' },
            name: { enum: Object.keys(problems), description: 'machine name, a translation key' },
            field: { type: 'string', description: 'the field that is wrong' },
          },
        },
      },
    },
  }
}
