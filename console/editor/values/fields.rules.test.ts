import { describe, expect, test } from 'vitest'
import {
  type Control,
  controlOf,
  fieldsOf,
  formOf,
  inForm,
  labelOf,
  schemaOfLiteral,
  startOf,
  startOfAll,
} from '#console/editor/values/fields.rules.ts'
import { metaSchemas } from '#language/documents/meta.ts'
import type { JsonSchema } from '#language/types/catalog.ts'
import manifest from '#widgets/manifest.json'

const props = (type: string) => manifest.widgets.find((widget) => widget.type === type)!.props as JsonSchema

describe('the control of a prop', () => {
  const rows: [JsonSchema, string, Control][] = [
    [{ type: 'string', text: true }, 'label', { kind: 'words' }],
    [{ type: 'string', ref: 'icon' }, 'icon', { kind: 'name', of: 'icon' }],
    [{ type: 'string', ref: 'quick-entries' }, 'list', { kind: 'name', of: 'quick-entries' }],
    [{ type: 'string', enum: ['a', 'b'] }, 'tone', { kind: 'choice', options: ['a', 'b'] }],
    [{ type: 'integer', enum: [1, 2] }, 'columns', { kind: 'choice', options: [1, 2] }],
    [{ type: 'boolean' }, 'block', { kind: 'switch' }],
    [{ type: 'integer', exclusiveMinimum: 0, maximum: 9 }, 'n', { kind: 'number', integer: true, min: 1, max: 9 }],
    [{ type: 'integer', minimum: 0, maximum: 9 }, 'n', { kind: 'number', integer: true, min: 0, max: 9 }],
    [
      { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
      'n',
      { kind: 'number', integer: true, min: null, max: null },
    ],
    [{ type: 'string', decimal: true }, 'amount', { kind: 'decimal' }],
    [{ type: ['string', 'null'] }, 'x', { kind: 'line' }],
    [{ type: ['string', 'number'] }, 'id', { kind: 'line' }],
    [{ anyOf: [{ type: 'boolean' }, { type: 'null' }] }, 'x', { kind: 'switch' }],
    [
      {
        anyOf: [
          { type: 'integer', minimum: 1 },
          { type: 'object', properties: { $: {} } },
        ],
      },
      'keepMs',
      { kind: 'number', integer: true, min: 1, max: null },
    ],
    [{ type: 'array', items: { type: 'string' }, maxItems: 3 }, 'x', { kind: 'list', item: { type: 'string' }, max: 3 }],
    [{ type: 'object', additionalProperties: { type: 'string' } }, 'x', { kind: 'map', item: { type: 'string' } }],
    [{ description: 'an expression', expression: true }, 'show', { kind: 'condition' }],
    [{ description: 'true when `value` is acceptable', expression: true }, 'test', { kind: 'condition' }],
    [{ description: 'a literal, {"$": expression}, or {"$t": key, …arguments}' }, 'message', { kind: 'words' }],
    [{ description: 'a literal, {"$": expression}, or {"$t": key, …arguments}' }, 'value', { kind: 'line' }],
    [{}, 'x', { kind: 'json' }],
  ]
  test.for(rows)('%j %s', ([schema, name, control]) => {
    expect(controlOf(schema, name)).toEqual(control)
  })

  test('every prop of every widget has one without JSON', () => {
    const left = manifest.widgets.flatMap((widget) =>
      fieldsOf(widget.props as JsonSchema)
        .filter(({ control }) => control.kind === 'json')
        .map(({ name }) => `${widget.type}.${name}`),
    )
    expect(left).toEqual([])
  })

  test('what is required comes first', () => {
    expect(fieldsOf(props('button'))[0]).toMatchObject({ name: 'label', required: true, control: { kind: 'words' } })
  })
})

describe('the three forms of a value', () => {
  test.for([
    ['x', 'constant'],
    [null, 'constant'],
    [[{ $: 'a' }], 'constant'],
    [{ $: 'data.a' }, 'expression'],
    [{ $: { var: 'data.a' } }, 'expression'],
    [{ $t: 'a.b' }, 'words'],
  ] as const)('%j is %s', ([value, form]) => {
    expect(formOf(value)).toBe(form)
  })
  test.for([
    ['x', 'expression', { $: '' }],
    [{ $: 'data.a + 1' }, 'expression', { $: 'data.a + 1' }],
    [{ $: 'data.a' }, 'constant', 'start'],
    [{ $t: 'a.b' }, 'words', { $t: 'a.b' }],
    ['x', 'words', { $t: '' }],
  ] as const)('%j as %s is %j', ([value, form, after]) => {
    expect(inForm(value, form, 'start')).toEqual(after)
  })
})

test('props are computed, members of documents where their schema says so', () => {
  const computed = (schema: JsonSchema, name: string) => fieldsOf(schema).find((field) => field.name === name)?.computed
  expect(computed(props('button'), 'block')).toBe(true)
  const prompt = metaSchemas().prompt as JsonSchema
  expect(['title', 'rows', 'danger', 'stale_after_ms'].map((name) => computed(prompt, name))).toEqual([true, false, false, false])
  const row = prompt.properties?.rows?.items as JsonSchema
  expect(['label', 'value'].map((name) => computed(row, name))).toEqual([true, true])
})

test.for([
  ['text', { kind: 'line' }],
  [3, { kind: 'number', integer: false, min: null, max: null }],
  [true, { kind: 'switch' }],
  [null, { kind: 'json' }],
  [['a'], { kind: 'json' }],
] as const)('a member that is not declared and holds %j is edited as %j', ([value, control]) => {
  expect(controlOf(schemaOfLiteral(value))).toEqual(control)
})

test.for([
  ['rowHeight', 'Row height'],
  ['stale_after_ms', 'Stale after ms'],
  ['alt', 'Alt'],
])('%s reads %s', ([name, label]) => {
  expect(labelOf(name as string)).toBe(label)
})

test('a new member starts as what its type allows', () => {
  expect(startOf({ type: 'string', enum: ['sm', 'md'] })).toBe('sm')
  expect(startOf({ type: 'integer', minimum: 24 })).toBe(24)
  expect(startOfAll(props('button'))).toEqual({ label: { $t: '' } })
  expect(startOfAll(props('accordion'))).toEqual({ items: [], label: { $t: '' } })
})
