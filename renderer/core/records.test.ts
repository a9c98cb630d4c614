import { describe, expect, test } from 'vitest'
import { compilePath, readPath, scopeOf } from '#language/expression/scope.ts'
import { plan } from '#renderer/core/plan.ts'
import { type Records, recordsOf, withRecord } from '#renderer/core/records.ts'

const shape: Records = {
  key: 'code',
  of: {
    code: { type: 'string' },
    price: { type: 'decimal' },
    times: { type: 'integer', default: 1 },
    side: { type: 'enum', values: ['up', 'down'] },
    on: { type: 'boolean', default: true },
  },
  max: 3,
}
const row = (code: string, more: object = {}) => ({ code, times: 1, on: true, ...more })

describe('what is kept of a list', () => {
  const table: [string, unknown, unknown[]][] = [
    ['members that are missing get their default', [{ code: 'a' }], [row('a')]],
    ['members that nobody declared are left out', [{ code: 'a', x: 1 }], [row('a')]],
    ['numbers that were typed, amounts that were counted', [{ code: 'a', times: '7', price: 5 }], [row('a', { times: 7, price: '5' })]],
    ['a record without its key is left out', [{ price: '1' }, { code: 'b' }], [row('b')]],
    [
      'a record with a member of another kind is left out',
      [
        { code: 'a', price: 'much' },
        { code: 'b', side: 'left' },
        { code: 'c', on: 1 },
      ],
      [],
    ],
    [
      'a key twice: the last',
      [
        { code: 'a', price: '1' },
        { code: 'a', price: '2' },
      ],
      [row('a', { price: '2' })],
    ],
    ['too many: the last', ['a', 'b', 'c', 'd'].map((code) => ({ code })), [row('b'), row('c'), row('d')]],
    ['what is no list', { code: 'a' }, []],
    ['what is no record', ['a', null, ['b']], []],
  ]
  test.each(table)('%s', (_name, list, expected) => expect(recordsOf(shape, list)).toEqual(expected))

  test('a record is looked up by the declared key', () => {
    const scope = scopeOf({ state: { list: recordsOf(shape, [{ code: 'a' }, { code: 'b', times: 9 }]), at: 'b' } })
    expect(readPath(scope, compilePath('state.list[state.at].times'))).toBe(9)
  })
})

describe('one record', () => {
  const list = recordsOf(shape, [{ code: 'a', price: '1' }, { code: 'b' }])
  const table: [string, Parameters<typeof withRecord>[2], string | undefined, unknown, unknown[]][] = [
    ['is added', 'c', undefined, { price: '3' }, [list[0]!, list[1]!, row('c', { price: '3' })]],
    ['takes the place of the one before, as a whole', 'a', undefined, { side: 'up' }, [row('a', { side: 'up' }), list[1]!]],
    ['has the key that it is written at', 'c', undefined, { code: 'x' }, [list[0]!, list[1]!, row('c')]],
    ['is removed', 'a', undefined, null, [list[1]!]],
    ['that is not there is not removed', 'x', undefined, null, [...list]],
    ['has one member changed', 'a', 'on', false, [row('a', { price: '1', on: false }), list[1]!]],
    ['that is not there has no member changed', 'x', 'on', false, [...list]],
    ['of another kind changes nothing', 'a', 'price', 'much', [...list]],
    ['that is no record changes nothing', 'a', undefined, 'much', [...list]],
  ]
  test.each(table)('%s', (_name, by, member, value, expected) => expect(withRecord(shape, list, by, member, value)).toEqual(expected))

  test('too many: the oldest goes', () => {
    const full = withRecord(shape, withRecord(shape, list, 'c', undefined, {}), 'd', undefined, {})
    expect(full.map((one) => (one as { code: string }).code)).toEqual(['b', 'c', 'd'])
  })
})

test('a step writes the record whose key the path in brackets has, and none where it has no value', () => {
  const scope = scopeOf({ form: { code: 'a', price: '5' } })
  const of = (set: Record<string, unknown>) => plan({ set } as never, scope, (key) => key)
  const record = { by: 'a', member: undefined }
  const at = { root: 'device', path: 'alerts' }
  expect(of({ 'device.alerts[form.code]': { price: { $: 'form.price' } } })).toEqual({
    do: 'set',
    values: [{ ...at, value: { price: '5' }, record }],
  })
  expect(of({ 'device.alerts[form.code].on': false })).toEqual({
    do: 'set',
    values: [{ ...at, value: false, record: { by: 'a', member: 'on' } }],
  })
  expect(of({ 'device.alerts[form.gone]': null })).toEqual({ do: 'set', values: [] })
})
