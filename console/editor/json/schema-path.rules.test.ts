import { expect, test } from 'vitest'
import { branchesAt, keysOf } from '#console/editor/json/schema-path.rules.ts'
import type { JsonSchema } from '#language/types/catalog.ts'

const go: JsonSchema = { type: 'object', properties: { go: { type: 'string' }, params: {} }, required: ['go'] }
const back: JsonSchema = { type: 'object', properties: { back: { const: true } }, required: ['back'] }
const root: JsonSchema = {
  type: 'object',
  properties: { steps: { $ref: '#/$defs/steps' }, any: { type: 'object', additionalProperties: { type: 'integer' } } },
  $defs: { steps: { type: 'array', items: { anyOf: [go, back] } } },
}

test.for([
  [['any', 'x'], {}, [{ type: 'integer' }]],
  [['gone'], {}, []],
  [['steps', 0], { steps: [{}] }, [go, back]],
  [['steps', 0], { steps: [{ go: '/' }] }, [go]],
  [['steps', 0], { steps: [{ typo: 1 }] }, [go, back]],
] as const)('at %j of %j', ([path, doc, shapes]) => {
  expect(branchesAt(root, doc, path)).toEqual(shapes)
})

test('members of a choice are those of the shape that has what is written', () => {
  expect(keysOf(root, { steps: [{ params: {} }] }, ['steps', 0], new Set(['params']))).toEqual([go])
})
