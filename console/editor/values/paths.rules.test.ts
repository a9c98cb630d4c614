import { expect, test } from 'vitest'
import { nameOfType, pathsFrom } from '#console/editor/values/paths.rules.ts'

const types = {
  data: {
    type: 'object',
    properties: {
      info: {
        type: 'object',
        properties: { available: { type: 'string', decimal: true }, net: { type: 'object', properties: { fee: { type: 'number' } } } },
      },
      rows: { type: 'array', items: { type: 'object', properties: { id: { type: 'integer' } } } },
    },
  },
  state: { type: 'object', properties: { tab: { type: 'string' } } },
}

test.for([
  ['', ['data', 'data.info', 'data.rows', 'state', 'state.tab']],
  ['da', ['data', 'data.info', 'data.rows', 'state', 'state.tab']],
  ['data.', ['data.info', 'data.info.available', 'data.info.net', 'data.rows']],
  ['data.info.av', ['data.info.available', 'data.info.net', 'data.info.net.fee']],
  ['data.gone.', []],
  ['window.', []],
  ['data.rows.0.', ['data.rows.0.id']],
] as const)('"%s" goes on as %j', ([typed, paths]) => {
  expect(pathsFrom(types, typed).map(({ path }) => path)).toEqual(paths)
})

test.for([
  [{ type: 'string', decimal: true }, 'amount'],
  [{ type: 'string', enum: ['a', 'b'] }, 'a | b'],
  [{ type: ['integer', 'null'] }, 'number'],
  [{ anyOf: [{ type: 'string' }, { type: 'boolean' }] }, 'text or yes or no'],
  [{}, ''],
] as const)('%j is called %s', ([type, name]) => {
  expect(nameOfType(type as Parameters<typeof nameOfType>[0])).toBe(name)
})
