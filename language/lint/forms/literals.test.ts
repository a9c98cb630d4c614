import { expect, test } from 'vitest'
import { type Change, lintWith } from '#language/testdata/linted.ts'

const form = 'schemas/forms/order.json'
const findings = (changes: readonly Change[]) =>
  lintWith(changes).flatMap(({ check, file, line, pointer, message }) => (check === 'literals' ? [{ file, line, pointer, message }] : []))
/** A form with one field more, and what is said of it. */
const saysOf = (field: object) => findings([[form, '/fields/2', { name: 'more', label: { $t: 'orders.title' }, ...field }]])

const options = [{ id: 'a', label: { $t: 'orders.title' } }]
const day = { type: 'date', widget: 'text-field' }
const number = { type: 'decimal', widget: 'text-field' }
const whole = { type: 'integer', widget: 'text-field' }
const text = { type: 'string', widget: 'text-field' }
const choice = { type: 'enum', widget: 'text-field', options }

test.each<[string, object, RegExp]>([
  ['a comma', { ...number, default: '1,5' }, /refuses "1,5": it is no number/],
  ['an exponent', { ...number, default: '1e-7' }, /refuses "1e-7": it is no number/],
  ['a fraction as a JSON number', { ...number, default: 0.0000001 }, /it is no number/],
  ['a fraction', { ...whole, default: '2.5' }, /refuses "2.5": it is not a whole number/],
  ['a day that never was', { ...day, default: '2026-02-30' }, /refuses "2026-02-30": it is no day of the calendar/],
  ['another writing of a day', { ...day, default: '30.01.2026' }, /it is no day/],
  ['too small', { ...number, default: '1', min: '2' }, /less than the "min"/],
  ['too great', { ...number, default: '3', max: '2' }, /more than the "max"/],
  ['no multiple', { ...number, default: '3', step: '2' }, /no multiple|not a multiple/],
  ['beside the steps', { ...number, default: '2', min: '0.5', step: '1' }, /count from its "min"/],
  ['too many decimals', { ...number, default: '0.1234567890123456789' }, /more than 18 decimals/],
  ['a short text', { ...text, default: 'a', minLength: 2 }, /shorter/],
  ['a long text', { ...text, default: 'abc', maxLength: 2 }, /longer/],
  ['a number for a text', { ...text, default: 5 }, /it is no text/],
  ['an invisible character', { ...text, default: 'a\u202eb' }, /nobody can see/],
  ['a word that is no option', { ...choice, default: 'b' }, /none of the options/],
  ['a list with one', { type: 'list', widget: 'text-field', options, default: ['b'] }, /none of the options/],
  ['too many of a list', { type: 'list', widget: 'text-field', max: 1, default: ['a', 'b'] }, /more members/],
  ['a text for a switch', { type: 'boolean', widget: 'text-field', default: 'yes' }, /refuses "yes"/],
  ['a short code', { type: 'code', widget: 'text-field', default: '12' }, /as many digits/],
  ['an early day', { ...day, default: '2026-01-01', min: '2026-01-02' }, /before the "min"/],
  ['a late day', { ...day, default: '2026-01-03', max: '2026-01-02' }, /after the "max"/],
])('a default with %s is refused where it stands', (_, field, said) => {
  const [found, ...more] = saysOf(field)
  expect([found?.file, found?.pointer, more]).toEqual([form, '/fields/2/default', []])
  expect(found?.message).toMatch(said)
  expect(found?.line).toBeGreaterThan(1)
})

test.each<[string, object, string, RegExp]>([
  ['a comma in a bound', { ...number, min: '1,5' }, 'min', /no number/],
  ['half a whole number', { ...whole, max: '2.5' }, 'max', /not a whole number/],
  ['a step of nothing', { ...number, step: '0' }, 'step', /above zero/],
  ['a bound that is no day', { ...day, max: '2026-02-30' }, 'max', /no day/],
  ['bounds that exclude each other', { ...number, min: '3', max: '2' }, 'min', /no value satisfies/],
])('%s is refused', (_, field, name, said) => {
  const found = saysOf(field)
  expect(found.map(({ pointer }) => pointer)).toEqual([`/fields/2/${name}`])
  expect(found[0]?.message).toMatch(said)
})

test.each<[string, object]>([
  ['a number', { ...number, default: '1.50', min: '0.5', max: '2.5', step: '0.5' }],
  ['a whole number, also as a JSON number', { ...whole, default: 50 }],
  ['a day', { ...day, default: '2024-02-29' }],
  ['an option', { ...choice, default: 'a' }],
  ['nothing', { ...number, default: '' }],
  ['what is computed', { ...number, default: { $: 'state.step' }, min: { $: 'state.step' } }],
])('%s is taken', (_, field) => {
  expect(saysOf(field)).toEqual([])
})

const place = 'schemas/screens/orders/place.json'
test.each<[string, Change, string, RegExp]>([
  ['a default of a parameter', [place, '/params', { n: { type: 'integer', default: 2.5 } }], '/params/n/default', /whole number/],
  ['with an exponent', [place, '/params', { n: { type: 'decimal', default: '1e-7' } }], '/params/n/default', /"n" takes a decimal/],
  ['that is none of its words', [place, '/params', { n: { type: 'enum', values: ['a'], default: 'b' } }], '/params/n/default', /one of/],
  [
    'a member of a record',
    [place, '/lists', { l: { key: 'id', of: { id: { type: 'integer', default: '1,5' } } } }],
    '/lists/l/of/id/default',
    /whole/,
  ],
  ['a setting of the device', ['schemas/app.json', '/device/n', { type: 'boolean', default: 'yes' }], '/device/n/default', /true or false/],
])('%s is judged like an entry', (_, change, pointer, said) => {
  const found = findings([change])
  expect(found.map((one) => one.pointer)).toEqual([pointer])
  expect(found[0]?.message).toMatch(said)
})
