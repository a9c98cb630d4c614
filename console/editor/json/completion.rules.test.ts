import { describe, expect, test } from 'vitest'
import { knownOf } from '#console/editor/document/known.ts'
import { branchesAt, completionsAt, keysOf } from '#console/editor/json/completion.rules.ts'
import functions from '#contract/functions/manifest.json'
import contract from '#contract/manifest.json'
import symbols from '#contract/symbols.json'
import topics from '#contract/topics.json'
import { metaSchemas } from '#language/documents/meta.ts'
import type { Catalog, JsonSchema } from '#language/types/catalog.ts'
import manifest from '#widgets/manifest.json'

const docs = [
  {
    kind: 'routes',
    id: 'routes',
    routes: { '/': { screen: 'home.home' }, 'pages/common/article': { screen: 'common.article', aliases: ['old'] } },
  },
  { kind: 'screen', id: 'common.article', params: { nid: { type: 'integer', required: true } } },
  { kind: 'fragment', id: 'content', params: { html: { type: 'string' } } },
  {
    kind: 'prompt',
    id: 'logout',
    text: { $: 'params.name' },
    rows: [{ label: 'On', value: { $: 'params.device' }, show: 'has(params.device)' }],
  },
  { kind: 'app', id: 'app', languages: [{ id: 'en' }], device: { theme: {} } },
]
const texts = { en: { home: { hot: 'Trending', news: 'Read' } }, zh: { home: { hot: '热门' } } }
const catalog = { ...manifest, calls: contract, functions, symbols, topics } as unknown as Catalog
const known = knownOf(docs, texts, catalog, metaSchemas() as Record<string, JsonSchema>, 'zh')

/** `|` is the cursor. */
function at(text: string) {
  const offset = text.indexOf('|')
  return completionsAt(text.replace('|', ''), offset, known, () => [{ path: 'data.info', type: 'group' }])
}
const labels = (text: string) => at(text)?.items.map(({ label }) => label) ?? []
const screen = (body: string) =>
  `{"kind": "screen", "id": "a", "state": {"tab": 1}, "data": {"info": {"call": "user.info"}}, "body": [${body}]}`

describe('completion in a document', () => {
  const rows: [string, string, string[]][] = [
    ['members of a node', screen('{"id": "n", "widget": "button", "|"}'), ['props', 'show', 'on', 'slots']],
    ['widgets', screen('{"id": "n", "widget": "bu|"}'), ['button', 'nav-bar']],
    ['props of the widget', screen('{"id": "n", "widget": "button", "props": {"|"}}'), ['label', 'tone', 'icon', 'block']],
    ['words of a choice', screen('{"id": "n", "widget": "button", "props": {"tone": "|"}}'), ['primary', 'danger']],
    ['yes or no', screen('{"id": "n", "widget": "button", "props": {"block": |}}'), ['true', 'false']],
    ['icons', screen('{"id": "n", "widget": "button", "props": {"icon": "|"}}'), ['bell', 'bitcoin']],
    ['events', screen('{"id": "n", "widget": "button", "on": {"|"}}'), ['press']],
    ['slots', screen('{"id": "n", "widget": "page", "slots": {"|"}}'), ['head', 'body', 'foot']],
    ['members of a step', screen('{"id": "n", "widget": "button", "on": {"press": [{"|"}]}}'), ['go', 'call', 'confirm', 'toast']],
    ['what goes with a step', screen('{"id": "n", "widget": "button", "on": {"press": [{"go": "/", "|"}]}}'), ['params', 'replace']],
    [
      'routes, also the other names',
      screen('{"id": "n", "widget": "button", "on": {"press": [{"go": "|"}]}}'),
      ['/', 'pages/common/article', 'old'],
    ],
    ['parameters of a route', screen('{"id": "n", "widget": "button", "on": {"press": [{"go": "old", "params": {"|"}}]}}'), ['nid']],
    ['prompts', screen('{"id": "n", "widget": "button", "on": {"press": [{"confirm": "|"}]}}'), ['logout']],
    [
      'what a prompt reads',
      screen('{"id": "n", "widget": "button", "on": {"press": [{"confirm": "logout", "with": {"|"}}]}}'),
      ['name', 'device'],
    ],
    ['sources', screen('{"id": "n", "widget": "button", "on": {"press": [{"refresh": ["|"]}]}}'), ['info']],
    ['what may be set', screen('{"id": "n", "widget": "button", "on": {"press": [{"set": {"|"}}]}}'), ['state.tab', 'device.theme']],
    [
      'what a fragment may set',
      '{"kind": "fragment", "id": "f", "params": {"side": {"type": "string"}}, "state": {"from": null}, "body": [{"id": "n", "widget": "button", "on": {"press": [{"set": {"|"}}]}}]}',
      ['state.from', 'params.side', 'device.theme'],
    ],
    ['fragments', screen('{"use": "|"}'), ['content']],
    ['what a fragment takes', screen('{"use": "content", "with": {"|"}}'), ['html']],
    ['text keys', screen('{"id": "n", "widget": "text", "props": {"text": {"$t": "|"}}}'), ['home.hot', 'home.news']],
    ['paths', screen('{"id": "n", "widget": "text", "props": {"text": {"$": "|"}}}'), ['data.info']],
    ['paths in logic', screen('{"id": "n", "widget": "text", "show": {"var": "|"}}'), ['data.info']],
    ['operators', screen('{"id": "n", "widget": "text", "show": {"|"}}'), ['var', '===', 'and', 'has']],
    ['calls', '{"kind": "screen", "data": {"x": {"call": "|"}}}', ['user.info', 'market.quotation']],
    ['calls of a step', screen('{"id": "n", "widget": "button", "on": {"press": [{"call": "|"}]}}'), ['user.info', 'user.login']],
    ['arguments of a call', '{"kind": "screen", "data": {"x": {"call": "user.login", "args": {"|"}}}}', ['username', 'password']],
    ['members of the document', '{"kind": "prompt", "id": "a", "|"}', ['title', 'rows', 'danger']],
    ['screens', '{"kind": "routes", "routes": {"a": {"screen": "|"}}}', ['common.article']],
  ]
  test.for(rows)('%s', ([, text, wanted]) => {
    expect(labels(text)).toEqual(expect.arrayContaining(wanted))
  })

  const never: [string, string, string][] = [
    ['a member that is there', screen('{"id": "n", "widget": "button", "|"}'), 'widget'],
    ['a prop of another widget', screen('{"id": "n", "widget": "button", "props": {"|"}}'), 'items'],
    ['another step beside the first', screen('{"id": "n", "widget": "button", "on": {"press": [{"go": "/", "|"}]}}'), 'confirm'],
    ['a screen where a route stands', screen('{"id": "n", "widget": "button", "on": {"press": [{"go": "|"}]}}'), 'common.article'],
    ['a call that changes something where data is asked', '{"kind": "screen", "data": {"x": {"call": "|"}}}', 'user.login'],
  ]
  test.for(never)('never %s', ([, text, label]) => {
    expect(labels(text)).not.toContain(label)
  })

  const text = (value: string) => screen(`{"id": "n", "widget": "text", "props": {"text": ${value}}}`)
  const short: [string, string, string[], string][] = [
    ['a path of a value that is written short', text('"= data.in|"'), ['data.info'], 'data.in'],
    [
      'the same, where the quote is not closed',
      `${screen('').slice(0, -2)}{"id": "n", "widget": "text", "props": {"text": "= da|`,
      ['data.info'],
      'da',
    ],
    ['a path inside of an expression; the rest stays', text(`"= cat(data.in|, ' ')"`), ['data.info'], 'data.in'],
    ['operators of an expression', text('"= forma|"'), ['format('], 'forma'],
    ['a path in a condition', screen('{"id": "n", "widget": "text", "show": "not has(da|)"}'), ['data.info'], 'da'],
    ['a path of an expression that is written long', text('{"$": "data.info and da|"}'), ['data.info'], 'da'],
    ['a named value', '{"kind": "screen", "values": {"sum": "da|"}}', ['data.info'], 'da'],
    ['keys of texts that are written short', text('"@ho|"'), ['@home.hot', '@home.news'], '"@ho"'],
    [
      'the same, where the quote is not closed',
      `${screen('').slice(0, -2)}{"id": "n", "widget": "text", "props": {"text": "@ho|`,
      ['@home.hot'],
      '"@ho',
    ],
    ['arguments of words', text('{"$t": "home.hot", "sum": "= da|"}'), ['data.info'], 'da'],
  ]
  test.for(short)('%s', ([, text, wanted, replaced]) => {
    const found = at(text)!
    expect(found.items.map(({ label }) => label)).toEqual(expect.arrayContaining(wanted))
    expect(text.replace('|', '').slice(found.start, found.end)).toBe(replaced)
  })

  test('a path takes the place of its word, a key that of its value', () => {
    expect(at(text('"= data.in|"'))?.items.map(({ insert }) => insert)).toEqual(['data.info'])
    expect(at(text('"@home.n|"'))?.items.map(({ insert }) => insert)).toEqual(['"@home.hot"', '"@home.news"'])
  })

  test.for([
    ['a literal', text('"dat|"')],
    ['an id', screen('{"id": "da|", "widget": "button"}')],
  ] as const)('no path in %s', ([, written]) => {
    expect(labels(written).filter((label) => label.startsWith('data.'))).toEqual([])
  })

  test('words stand beside their key, in the language of the operator', () => {
    const hot = at(screen('{"id": "n", "widget": "text", "props": {"text": {"$t": "|"}}}'))?.items.find(({ label }) => label === 'home.hot')
    expect(hot).toMatchObject({ detail: '热门', insert: '"home.hot"' })
  })

  test('replaces the whole word, also where the quote is not closed', () => {
    const text = '{"kind": "routes", "routes": {"a": {"screen": "comm|on"}}}'
    const found = at(text)!
    expect(text.replace('|', '').slice(found.start, found.end)).toBe('"common"')
    expect(at('{"kind": "routes", "routes": {"a": {"screen": "com|')).not.toBeNull()
  })

  test('a member that has its colon is only renamed', () => {
    expect(at('{"kind": "prompt", "da|": true}')?.items.find(({ label }) => label === 'danger')?.insert).toBe('"danger"')
    expect(at('{"kind": "prompt", "da|"}')?.items.find(({ label }) => label === 'danger')?.insert).toBe('"danger": true')
  })

  test.for(['|', '[|]', '"|"', '{|', '{"kind": "none", "|"}', '{"kind": {"|"}}', '{"kind":"screen","body":[{"widget":3,"props":{"|"}}]}'])(
    'never throws on %s',
    (text) => {
      expect(() => at(text)).not.toThrow()
    },
  )
})

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
