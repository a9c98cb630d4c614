import { expect, test } from 'vitest'
import { bracketDepth, inputLimits, isTooDeepJson, jsonTextDepth, valueDepth } from '#server-kit/http/depth.ts'
import { coreMs } from '#tests/support/core-ms.ts'

const lists = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

test.each<[text: string, depth: number]>([
  ['', 0],
  ['1', 0],
  ['[]', 1],
  ['[[],[]]', 2],
  ['{"a":[{}]}', 3],
  ['["[[[["]', 1],
  ['["\\"[[["]', 1],
  ['["\\\\",[[]]]', 3],
  [']]]][', 0],
  [lists(33), 33],
  [objects(33), 33],
])('%s nests %i deep', (text, depth) => {
  expect(jsonTextDepth(text)).toBe(depth)
})

test.each<[name: string, text: string, tooDeep: boolean]>([
  ['lists at the limit', lists(32), false],
  ['lists over it', lists(33), true],
  ['objects over it', objects(33), true],
  ['after blanks', `${' '.repeat(5_000)}${lists(33)}`, true],
  ['after a line break', `\n\t${lists(33)}`, true],
  ['never closed', '['.repeat(50_000), true],
  ['plain text with brackets', `see ${lists(40)}`, false],
  ['a quoted text', JSON.stringify(lists(40)), false],
  ['many brackets side by side', `[${'[],'.repeat(1_000)}[]]`, false],
])('too deep? %s', (_name, text, tooDeep) => {
  expect(isTooDeepJson(text)).toBe(tooDeep)
})

test('brackets of any kind are counted in text, quotes or not', () => {
  expect(bracketDepth('('.repeat(2_000), 1_000)).toBe(1_001)
  expect(bracketDepth('"(((("', 1_000)).toBe(4)
  expect(bracketDepth(')))(', 1_000)).toBe(1)
})

test('values are measured without recursion, circular ones too', () => {
  const deep = JSON.parse(lists(2_000)) as unknown
  const circle: unknown[] = []
  circle.push(circle)
  expect(valueDepth(1)).toBe(0)
  expect(valueDepth([])).toBe(1)
  expect(valueDepth({ a: [{ b: 1 }] })).toBe(3)
  expect(valueDepth(new Date())).toBe(0)
  expect(valueDepth(Buffer.from('x'))).toBe(0)
  expect(valueDepth(JSON.parse(lists(32)))).toBe(32)
  expect(valueDepth(deep)).toBe(inputLimits.depthMax + 1)
  expect(valueDepth(circle)).toBe(inputLimits.depthMax + 1)
})

test('a megabyte is measured in a moment', () => {
  const texts = [`["${'x'.repeat(1_000_000)}"]`, `[${'[],'.repeat(300_000)}[]]`]
  expect(coreMs(() => texts.map((text) => isTooDeepJson(text)))).toBeLessThan(500)
})
