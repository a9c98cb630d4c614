import { describe, expect, test } from 'vitest'
import { type Catalog, capsLimits, capsOf, capsOfBuild, commonCatalog, readCatalog } from '#config-server/caps.rules.ts'

describe('the hash of a catalog', () => {
  const one = capsOf({ format: 1, widgets: ['a@1', 'b@2'], steps: ['go'] })
  const rows: [string, Catalog, boolean][] = [
    ['the same in another order', { format: 1, widgets: ['b@2', 'a@1', 'a@1'], steps: ['go'] }, true],
    ['another major', { format: 1, widgets: ['a@1', 'b@3'], steps: ['go'] }, false],
    ['another language version', { format: 2, widgets: ['a@1', 'b@2'], steps: ['go'] }, false],
    ['a step more', { format: 1, widgets: ['a@1', 'b@2'], steps: ['go', 'back'] }, false],
    ['nothing said of steps', { format: 1, widgets: ['a@1', 'b@2'] }, false],
  ]
  test.for(rows)('%s', ([, catalog, same]) => {
    expect(capsOf(catalog).hash === one.hash).toBe(same)
  })

  test('a build names its widgets with their majors, and what the language has', () => {
    const caps = capsOfBuild({ widgets: [{ type: 'text', major: 3 }] })
    expect(caps.widgets).toEqual(['text@3'])
    expect(caps.operators).toContain('has')
    expect(caps.steps).toContain('confirm')
    expect(caps.steps).toContain('source.on')
    const { steps } = capsOfBuild({ widgets: [], topics: [{ name: 'balance' }, { name: 'records' }] })
    expect(steps?.filter((name) => name.startsWith('live.'))).toEqual(['live.records'])
  })
})

describe('a registration', () => {
  const good = capsOf({ format: 1, widgets: ['text@1'], operators: ['+'], steps: ['go'] })
  const rows: [string, unknown, boolean][] = [
    ['as a build sends it', good, true],
    ['with members that nobody asked for', { ...good, more: 1 }, true],
    ['under another name', { ...good, hash: '0'.repeat(64) }, false],
    ['without a name', { ...good, hash: undefined }, false],
    ['that says more than its name', { ...good, widgets: ['text@1', 'chart@1'] }, false],
    ['with widgets that are no list', { ...good, widgets: { length: 1 } }, false],
    ['with a widget that is no name', capsOf({ format: 1, widgets: ['a b'] }), false],
    ['with a name without end', capsOf({ format: 1, widgets: ['x'.repeat(capsLimits.nameLengthMax + 1)] }), false],
    ['with too many names', capsOf({ format: 1, widgets: Array.from({ length: capsLimits.namesMax + 1 }, (_, i) => `w${i}@1`) }), false],
    ['of a language that is no number', { ...good, format: '1' }, false],
    ['null', null, false],
    ['a text', 'caps', false],
  ]
  test.for(rows)('%s', ([, body, taken]) => {
    expect(readCatalog(body)).toEqual(taken ? good : undefined)
  })
})

describe('what all builds share', () => {
  const rows: [string, Catalog[], Catalog | undefined][] = [
    ['no build', [], undefined],
    ['one', [{ format: 2, widgets: ['a@1'] }], { format: 2, widgets: ['a@1'] }],
    [
      'three',
      [
        { format: 2, widgets: ['a@1', 'b@1', 'c@1'], operators: ['+', '-'] },
        { format: 1, widgets: ['b@1', 'c@1'], steps: ['go'] },
        { format: 3, widgets: ['c@1', 'b@2', 'b@1'], operators: ['-'] },
      ],
      { format: 1, widgets: ['b@1', 'c@1'], operators: ['-'], steps: ['go'] },
    ],
    [
      'nothing',
      [
        { format: 1, widgets: ['a@1'] },
        { format: 1, widgets: ['a@2'] },
      ],
      { format: 1, widgets: [] },
    ],
  ]
  test.for(rows)('%s', ([, builds, wanted]) => {
    expect(commonCatalog(builds)).toEqual(wanted)
  })
})
