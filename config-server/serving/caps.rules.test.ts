import { describe, expect, test } from 'vitest'
import { readCatalog as readProject } from '#config-server/catalog.ts'
import { readSources } from '#config-server/files.ts'
import { type Catalog, capsLimits, capsOf, capsOfBuild, commonCatalog, readCatalog } from '#config-server/serving/caps.rules.ts'
import { parse } from '#language/documents/parse.ts'
import { prepare } from '#language/documents/prepare.ts'
import { covers } from '#language/publish/covers.ts'

describe('the hash of a catalog', () => {
  const one = capsOf({ format: 1, widgets: ['a@1', 'b@2'], steps: ['go'] })
  const rows: [string, Catalog, boolean][] = [
    ['the same in another order', { format: 1, widgets: ['b@2', 'a@1', 'a@1'], steps: ['go'] }, true],
    ['another major', { format: 1, widgets: ['a@1', 'b@3'], steps: ['go'] }, false],
    ['another language version', { format: 2, widgets: ['a@1', 'b@2'], steps: ['go'] }, false],
    ['a step more', { format: 1, widgets: ['a@1', 'b@2'], steps: ['go', 'back'] }, false],
    ['nothing said of steps', { format: 1, widgets: ['a@1', 'b@2'] }, false],
    ['a prop more', { format: 1, widgets: ['a@1', 'b@2'], steps: ['go'], props: ['a.label'] }, false],
  ]
  test.for(rows)('%s', ([, catalog, same]) => {
    expect(capsOf(catalog).hash === one.hash).toBe(same)
  })

  test('a build names all that documents may need of it', () => {
    const item = { type: 'object', properties: { label: { type: 'string' } } }
    const props = {
      type: 'object',
      properties: {
        text: { type: 'string' },
        items: { anyOf: [{ type: 'null' }, { type: 'array', items: item }] },
        by: { additionalProperties: item },
      },
    }
    const caps = capsOfBuild({ widgets: [{ type: 'text', major: 3, props }], functions: [{ name: 'wallet.fee' }] })
    expect(caps.widgets).toEqual(['text@3'])
    expect(caps.props).toEqual(['text.by', 'text.by.label', 'text.items', 'text.items.label', 'text.text'])
    expect(caps.operators).toEqual(expect.arrayContaining(['has', 'wallet.fee']))
    expect(caps.words).toEqual(expect.arrayContaining(['format.rate', 'match.email', 'round.half-even']))
    expect(caps.steps).toContain('confirm')
    expect(caps.steps).toContain('source.on')
    const { steps } = capsOfBuild({ widgets: [], topics: [{ name: 'balance' }, { name: 'records' }] })
    expect(steps?.filter((name) => name.startsWith('live.'))).toEqual(['live.records'])
    expect(caps.fields).toContain('decimal')
    expect(caps.outcomes).toContain('retry')
  })

  test('this build can register itself', async () => {
    const caps = capsOfBuild(await readProject('.'))
    expect(readCatalog(JSON.parse(JSON.stringify(caps)))).toEqual(caps)
    expect(JSON.stringify(caps).length).toBeLessThan(capsLimits.bytesMax)
  })
})

describe('an older build and the documents of the product', async () => {
  const catalog = await readProject('.')
  const now = capsOfBuild(catalog)
  const prepared = prepare(parse((await readSources('.')).files).documents, catalog)
  const shown = (caps: Catalog) => new Set(prepared.filter(({ computed }) => covers(caps, computed.requires)).map(({ key }) => key))
  test('this build shows all of them', () => {
    expect(shown(now).size).toBe(prepared.length)
  })
  test.for([
    ['props', 'decimal-field.max_button', 'form/fund.withdraw', 'form/common.login'],
    ['props', 'tabs.items.label', 'screen/fund.receive_withdraw_record', 'screen/common.login'],
    ['operators', 'wallet.withdrawFee', 'form/fund.withdraw', 'form/fund.exchange'],
    ['operators', 'toggle', 'screen/transaction.index', 'screen/common.login'],
    ['words', 'format.fiat', 'screen/fund.assets_record', 'screen/common.login'],
    ['steps', 'upload', undefined, 'screen/common.login'],
    ['steps', 'login', 'form/common.login', 'screen/common.login'],
    ['steps', 'source.topics', 'screen/invest.purchase', 'screen/invest.invest'],
    ['fields', 'code', 'form/fund.withdraw', 'form/setting.bill'],
    ['outcomes', 'field', 'form/fund.withdraw', 'screen/common.faq'],
  ] as const)('one without %s %s', ([need, name, lost, still]) => {
    expect(now[need]).toContain(name)
    const old = shown(capsOf({ ...now, [need]: now[need]!.filter((one) => one !== name) }))
    if (lost !== undefined) expect([...old]).not.toContain(lost)
    expect([...old]).toContain(still)
  })
  test('one that said nothing of props is asked for majors alone', () => {
    const { props: _, words: __, fields: ___, outcomes: ____, ...before } = now
    expect(shown(capsOf(before)).size).toBe(prepared.length)
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
