import { describe, expect, test } from 'vitest'
import { canonicalMobile } from '#contract/rules/mobile.rules.ts'
import type { FieldDoc } from '#language/documents/documents.ts'
import { type Bounds, entryValue, schemaOf, wrongIn } from '#language/documents/field-values.ts'
import { badInputs } from '#tests/support/bad-inputs.ts'
import { coreMs } from '#tests/support/core-ms.ts'

type Kind = Pick<FieldDoc, 'type' | 'minLength' | 'maxLength'>
const judge = (field: Kind, raw: unknown, bounds: Bounds = {}) =>
  wrongIn(
    schemaOf(field, () => bounds),
    field,
    entryValue(field.type, raw, bounds.options),
  )

const options = [{ id: 'a' }, { id: 2 }, { id: 'c' }]
const rows: [name: string, field: Kind, bounds: Bounds, raw: unknown, wrong: string | undefined][] = [
  ['a decimal', { type: 'decimal' }, {}, '12.50', undefined],
  ['exact where floats are not', { type: 'decimal' }, { step: '0.1' }, '0.3', undefined],
  ['a step that is missed', { type: 'decimal' }, { step: '0.1' }, '0.35', 'not_a_step'],
  ['a step of nothing does not bind', { type: 'decimal' }, { step: '0' }, '0.35', undefined],
  ['a step from the least', { type: 'decimal' }, { min: '0.5', step: '1' }, '2.5', undefined],
  ['a multiple beside the steps from the least', { type: 'decimal' }, { min: '0.5', step: '1' }, '2', 'not_a_step_from'],
  ['an integer from the least', { type: 'integer' }, { min: '3', step: '5' }, '13', undefined],
  ['below the least, on its steps', { type: 'integer' }, { min: '3', step: '5' }, '-2', 'too_small'],
  ['beside the steps from a least that is a multiple', { type: 'decimal' }, { min: '10', step: '5' }, '12', 'not_a_step'],
  ['the least itself', { type: 'decimal' }, { min: '9.5' }, '9.50', undefined],
  ['below the least, compared as numbers', { type: 'decimal' }, { min: '10' }, '9.5', 'too_small'],
  ['above the greatest by the 18th decimal', { type: 'decimal' }, { max: '1' }, '1.000000000000000001', 'too_great'],
  ['19 decimals', { type: 'decimal' }, {}, '0.0000000000000000001', 'too_many_decimals'],
  ['a bound of null does not bind', { type: 'decimal' }, { max: null }, '5', undefined],
  ['an integer', { type: 'integer' }, {}, '9007199254740993', undefined],
  ['a broken integer', { type: 'integer' }, {}, '1.0', 'not_whole'],
  ['a leading zero', { type: 'integer' }, {}, '007', 'not_a_number'],
  ['a whole number written by a step', { type: 'integer' }, {}, 7, undefined],
  ['a float written by a step', { type: 'decimal' }, {}, 0.1, 'not_a_number'],
  ['text', { type: 'string', minLength: 2, maxLength: 4 }, {}, 'abcd', undefined],
  ['signs of two units count once', { type: 'string', maxLength: 2 }, {}, '😀😀', undefined],
  ['short', { type: 'string', minLength: 2 }, {}, 'a', 'too_short'],
  ['long', { type: 'string', maxLength: 4 }, {}, 'abcde', 'too_long'],
  ['a zero character', { type: 'string' }, {}, 'a\u0000b', 'odd_characters'],
  ['turned direction', { type: 'string', maxLength: 3 }, {}, '\u202eabc', undefined],
  ['turned direction in a password', { type: 'password' }, {}, '\u202eabc', 'odd_characters'],
  ['a password keeps its blanks', { type: 'password', minLength: 3 }, {}, ' a ', undefined],
  ['a code', { type: 'code' }, {}, '123456', undefined],
  ['a short code', { type: 'code' }, {}, '12345', 'code_length'],
  ['a code of four', { type: 'code', maxLength: 4 }, {}, '1234', undefined],
  ['digits of another script', { type: 'code' }, {}, '١٢٣٤٥٦', 'code_length'],
  ['an option', { type: 'enum' }, { options }, 'a', undefined],
  ['an option with a number, as a select tells it', { type: 'enum' }, { options }, '2', undefined],
  ['no option', { type: 'enum' }, { options }, 'b', 'choose_one'],
  ['a day', { type: 'date' }, {}, '2024-02-29', undefined],
  ['a day that was not', { type: 'date' }, {}, '2023-02-29', 'date_wrong'],
  ['another writing of a day', { type: 'date' }, {}, '29.02.2024', 'date_wrong'],
  ['too early', { type: 'date' }, { min: '2024-03-01' }, '2024-02-29', 'date_early'],
  ['too late, against a time', { type: 'date' }, { max: Date.UTC(2024, 1, 28, 23) }, '2024-02-29', 'date_late'],
  ['an address of a file', { type: 'file' }, {}, '/upload/a.png', undefined],
  ['an endless address', { type: 'file' }, {}, 'x'.repeat(2_001), 'file_wrong'],
  ['a list', { type: 'list' }, { options, min: 1, max: 2 }, ['a', 2], undefined],
  ['a list too long', { type: 'list' }, { max: 1 }, ['a', 'b'], 'choose_fewer'],
  ['a list too short', { type: 'list' }, { min: 2 }, ['a'], 'choose_more'],
  ['twice the same', { type: 'list' }, {}, ['a', 'a'], 'choose_one'],
  ['a list of something else', { type: 'list' }, {}, [{ a: 1 }], 'choose_one'],
  ['a switch', { type: 'boolean' }, {}, true, undefined],
  ['a text for a switch', { type: 'boolean' }, {}, 'yes', 'choose_one'],
]

describe('what a type takes', () => {
  test.each(rows)('%s', (_, field, bounds, raw, wrong) => {
    expect(judge(field, raw, bounds)?.key).toBe(wrong)
  })

  test('the sentence gets the bound that was passed', () => {
    expect(judge({ type: 'decimal' }, '1', { min: '5' })).toEqual({ key: 'too_small', args: { min: '5' } })
  })
})

describe('what a value is', () => {
  test.each<[FieldDoc['type'], unknown, unknown]>([
    ['string', '  ', null],
    ['string', ' a ', 'a'],
    ['string', '\u202a+86 139\u202c', '+86 139'],
    ['string', '\u2067', null],
    ['password', '\u202aa', '\u202aa'],
    ['password', ' a ', ' a '],
    ['decimal', '', null],
    ['decimal', '1.50', '1.50'],
    ['decimal', ' 5', ' 5'],
    ['list', [], null],
    ['boolean', undefined, false],
    ['enum', '2', 2],
  ])('%s %j is %j', (type, raw, value) => {
    expect(entryValue(type, raw, options)).toEqual(value)
  })
})

const directions = [0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069]
test.each(directions.map((code) => [code.toString(16), String.fromCharCode(code)]))(
  'a form sends a number without the mark U+%s',
  (_, mark) => {
    const pasted = `${mark}+86 139${mark}12345678${mark}`
    const value = entryValue('string', pasted)
    expect([value, judge({ type: 'string', maxLength: 15 }, pasted), canonicalMobile('44', pasted)]).toEqual([
      '+86 13912345678',
      undefined,
      '+86 13912345678',
    ])
  },
)

/** Amounts of money: above zero, eight decimals, at most 10¹². */
const money: Bounds = { min: '0.00000001', max: '1000000000000', step: '0.00000001' }
const numbers = badInputs('num-sign', 'num-format', 'num-special', 'num-precision', 'num-range', 'num-unicode', 'num-type')

test('there are hostile numbers', () => {
  expect(numbers.length).toBeGreaterThan(70)
})

describe('hostile numbers', () => {
  test.each(numbers.filter(({ note }) => note.startsWith('refuse') && !note.includes('level')))('$note: $value', ({ value, note }) => {
    const look = () => ({ empty: entryValue('decimal', value) === null, wrong: judge({ type: 'decimal' }, value, money) })
    expect(coreMs(look)).toBeLessThan(50)
    const { empty, wrong } = look()
    // Values in the range of 64 bits and more are for the server's columns; as an amount they are too great or exact.
    if (!/int8|uint32/.test(note)) expect(empty || wrong !== undefined).toBe(true)
  })
})
