import { describe, expect, test } from 'vitest'
import type { AnyDoc, EntryDoc, FragmentDoc, Json, QuickEntriesDoc, ScreenDoc } from '#language/documents/documents.ts'
import { inline } from '#language/documents/inline.ts'
import type { Names } from '#language/documents/named-values.ts'
import { parse } from '#language/documents/parse.ts'
import { prepare } from '#language/documents/prepare.ts'
import { substituteLogic, substituteValue } from '#language/documents/substitute.ts'
import { factsOf } from '#language/documents/walk.ts'
import { catalog } from '#language/testdata/catalog.ts'
import { documents, filesOf } from '#language/testdata/project.ts'
import type { SourceDocument } from '#language/types/catalog.ts'

/** Fragments alone, put in as checks read them. */
const names = (fragments: ReadonlyMap<string, FragmentDoc>): Names => ({ fragments, forms: new Map(), how: 'expressions' })

describe('reads of parameters are replaced by the given values', () => {
  const given = new Map<string, Json | undefined>([
    ['params.path', { $: 'data.info' }],
    ['params.logic', { $: { '+': [{ var: 'state.a' }, 1] } }],
    ['params.text', { $t: 'a.b' }],
    ['params.word', 'up'],
    ['params.flag', true],
    ['params.rows', [{ n: 1 }]],
    ['params.absent', undefined],
  ])
  const values: [string, Json, Json][] = [
    ['path', { $: 'params.path' }, { $: 'data.info' }],
    ['a longer path', { $: 'params.path.balance' }, { $: 'data.info.balance' }],
    ['in brackets', { $: 'data.nets[params.path.id].min' }, { $: 'data.nets[data.info.id].min' }],
    ['logic', { $: 'params.logic' }, { $: { '+': [{ var: 'state.a' }, 1] } }],
    ['text', { a: [{ $: 'params.text' }] }, { a: [{ $t: 'a.b' }] }],
    ['literal', { $: 'params.word' }, 'up'],
    ['into a literal', { $: 'params.rows.0.n' }, 1],
    ['absent', { $: 'params.absent' }, null],
    ['as an argument of a text', { $t: 'x.y', n: { $: 'params.path.n' } }, { $t: 'x.y', n: { $: 'data.info.n' } }],
    ['in a tree', { $: { cat: [{ var: 'params.word' }, { var: 'params.path.x' }] } }, { $: { cat: ['up', { var: 'data.info.x' }] } }],
    ['with a default', { $: { '+': [{ var: ['params.absent', 2] }, 1] } }, { $: { '+': [2, 1] } }],
    [
      'not inside an iteration, where paths start at the element',
      { $: { map: [{ var: 'params.path.list' }, { var: 'params.word' }] } },
      { $: { map: [{ var: 'data.info.list' }, { var: 'params.word' }] } },
    ],
    ['other roots stay', { $: 'session.kyc' }, { $: 'session.kyc' }],
  ]
  test.each(values)('value: %s', (_, value, made) => {
    const said: string[] = []
    expect(substituteValue(value, given, (message) => said.push(message))).toEqual(made)
    expect(said).toEqual([])
  })
  const logics: [string, Json, Json][] = [
    ['path', 'params.path.open', 'data.info.open'],
    ['flag', 'params.flag', true],
    ['a literal is true', 'params.word', true],
    ['absent is false', 'params.absent', false],
    ['has a path', { has: 'params.path.x' }, { has: 'data.info.x' }],
    ['has a literal', { has: 'params.word' }, true],
    ['has not', { has: 'params.absent' }, false],
    ['has of a computed value', { has: 'params.logic' }, { present: [{ '+': [{ var: 'state.a' }, 1] }] }],
  ]
  test.each(logics)('logic: %s', (_, logic, made) => {
    expect(substituteLogic(logic, given, () => expect.unreachable())).toEqual(made)
  })
  test('a value that cannot be computed with is reported', () => {
    const said: string[] = []
    substituteLogic({ '===': [{ var: 'params.text' }, 1] }, given, (message) => said.push(message))
    substituteLogic({ '===': [{ var: 'params.logic.more' }, 1] }, given, (message) => said.push(message))
    substituteValue({ $: 'data.nets[params.word].min' }, given, (message) => said.push(message))
    expect(said).toHaveLength(3)
  })
})

const fragment = (id: string, body: unknown[], params: FragmentDoc['params'] = {}): [string, FragmentDoc] => [
  id,
  { kind: 'fragment', id, format: 1, params, body } as FragmentDoc,
]
const node = (id: string) => ({ id, widget: 'text' })
const host = (body: unknown[]) => ({ kind: 'screen', id: 'x', format: 1, body }) as ScreenDoc

describe('inlining', () => {
  const leaf = { id: 'leaf', widget: 'text', props: { text: { $: 'params.t' } } }
  const fragments = new Map([
    fragment('leaf', [leaf], { t: { type: 'string', required: true } }),
    fragment(
      'pair',
      [
        { use: 'leaf', as: 'left', with: { t: { $: 'params.p' } } },
        { use: 'leaf', as: 'right', with: { t: 'r' } },
      ],
      { p: { type: 'string' } },
    ),
    fragment('ring', [{ use: 'ring' }]),
  ])
  test('nested fragments, each with its prefix', () => {
    const { doc, problems } = inline(
      host([{ id: 'top', widget: 'page', slots: { body: [{ use: 'pair', as: 'a', with: { p: { $: 'state.q' } } }] } }]),
      names(fragments),
    )
    expect(problems).toEqual([])
    expect(doc).toMatchObject({
      body: [
        {
          slots: {
            body: [
              { id: 'a-left-leaf', props: { text: { $: 'state.q' } } },
              { id: 'a-right-leaf', props: { text: 'r' } },
            ],
          },
        },
      ],
    })
  })
  test('a screen with a title becomes a page with a bar and its toolbar', () => {
    const title = { $t: 'a.b' }
    const [tool, row] = [node('tool'), node('row')]
    const short = { kind: 'screen', id: 'x', format: 1, title, toolbar: [tool], body: [row] } as unknown as ScreenDoc
    const bar = { id: 'bar', widget: 'nav-bar', props: { title }, slots: { right: [tool] } }
    const long = [{ id: 'page', widget: 'page', slots: { head: [bar], body: [row] } }]
    const { doc, origins } = inline(short, names(new Map()))
    expect(doc).toEqual({ kind: 'screen', id: 'x', format: 1, body: long })
    expect(factsOf(doc, origins).nodes.map(({ node: { id }, pointer }) => [id, pointer])).toEqual([
      ['page', '/title'],
      ['bar', '/title'],
      ['tool', '/toolbar/0'],
      ['row', '/body/0'],
    ])
  })

  test('head and foot of a screen with a title surround its body, and its bar may have no back button', () => {
    const title = { $t: 'a.b' }
    const [above, row, below] = [node('above'), node('row'), node('below')]
    const short = { kind: 'screen', id: 'x', format: 1, title, back: false, head: [above], foot: [below], body: [row] }
    const bar = { id: 'bar', widget: 'nav-bar', props: { title, back: false } }
    const long = [{ id: 'page', widget: 'page', slots: { head: [bar, above], body: [row], foot: [below] } }]
    const { doc, origins } = inline(short as unknown as ScreenDoc, names(new Map()))
    expect(doc).toEqual({ kind: 'screen', id: 'x', format: 1, body: long })
    expect(factsOf(doc, origins).nodes.map(({ node: { id }, pointer }) => [id, pointer])).toEqual([
      ['page', '/title'],
      ['bar', '/title'],
      ['above', '/head/0'],
      ['row', '/body/0'],
      ['below', '/foot/0'],
    ])
  })

  test('a release keeps the title beside the page, and is not framed twice', () => {
    const title = { $t: 'a.b' }
    const short = { kind: 'screen', id: 'x', format: 1, title, pad: false, body: [node('row')] } as unknown as ScreenDoc
    const bar = { id: 'bar', widget: 'nav-bar', props: { title } }
    const body = [{ id: 'page', widget: 'page', props: { pad: false }, slots: { head: [bar], body: [node('row')] } }]
    const released = { kind: 'screen', id: 'x', format: 1, title, body }
    const table = { ...names(new Map()), how: 'table' as const }
    expect(inline(short, table).doc).toEqual(released)
    expect(inline(released as unknown as ScreenDoc, table).doc).toEqual(released)
  })

  test.each([
    ['toolbar', [node('tool')]],
    ['head', [node('tool')]],
    ['foot', [node('tool')]],
    ['back', false],
    ['pad', false],
  ])('%s without a title is refused', (name, value) => {
    const text = JSON.stringify({ kind: 'screen', id: 'x', format: 1, [name]: value, body: [node('row')] })
    const message = `a screen with "${name}" needs a title`
    expect(parse([{ file: 'x.json', text }]).problems).toMatchObject([{ pointer: `/${name}`, message }])
  })

  test('a circle ends and is reported', () => {
    const { problems } = inline(host([{ use: 'ring' }]), names(fragments))
    expect(problems).toEqual([{ pointer: '/body/0', message: 'fragments are nested at most 4 levels deep' }])
  })
  test('a state takes one node', () => {
    const { doc, problems } = inline(
      host([{ id: 'a', widget: 'x', states: { error: { use: 'pair', with: { p: 'x' } } } }]),
      names(fragments),
    )
    expect(problems[0]?.message).toMatch(/one node/)
    expect(doc).toMatchObject({ body: [{ states: { error: { id: 'left-leaf' } } }] })
  })
  test('places in a fragment have the pointer of its use; later places keep theirs', () => {
    const source = host([
      { use: 'pair', with: { p: 'x' } },
      { id: 'after', widget: 'x', props: { a: 1 } },
    ])
    const { doc, origins } = inline(source, names(fragments))
    const facts = factsOf(doc, origins)
    expect(facts.nodes.map(({ node, pointer, fragment: from }) => [node.id, pointer, from])).toEqual([
      ['left-leaf', '/body/0', 'leaf'],
      ['right-leaf', '/body/0', 'leaf'],
      ['after', '/body/1', undefined],
    ])
    expect(facts.values.map(({ pointer }) => pointer)).toEqual(['/body/0', '/body/0', '/body/1/props/a'])
  })
  describe('slots', () => {
    const around = new Map([
      ...fragments,
      fragment('box', [{ id: 'box', widget: 'card', slots: { body: [{ slot: 'inside', default: [{ ...leaf, id: 'usual' }] }] } }], {
        t: { type: 'string', default: 'd' },
      }),
      fragment(
        'outer',
        [{ use: 'box', slots: { inside: [{ id: 'own', widget: 'text', props: { text: { $: 'params.p' } } }, { slot: 'more' }] } }],
        {
          p: { type: 'string' },
        },
      ),
    ])
    const insideOf = (body: unknown[]) => {
      const { doc, origins, problems } = inline(host(body), names(around))
      const nodes = factsOf(doc, origins).nodes.map(({ node: { id }, pointer, fragment: from }) => [id, pointer, from])
      return { nodes, problems, doc }
    }
    test('contain what is given, which stays a part of the document that gave it', () => {
      const given = { id: 'mine', widget: 'text', props: { text: { $: 'state.q' } } }
      const { nodes, problems, doc } = insideOf([{ use: 'box', as: 'a', slots: { inside: [given, { use: 'leaf', with: { t: 'x' } }] } }])
      expect(problems).toEqual([])
      expect(doc).toMatchObject({ body: [{ id: 'a-box', slots: { body: [given, { id: 'leaf', props: { text: 'x' } }] } }] })
      expect(nodes).toEqual([
        ['a-box', '/body/0', 'box'],
        ['mine', '/body/0/slots/inside/0', undefined],
        ['leaf', '/body/0/slots/inside/1', 'leaf'],
      ])
    })
    test('contain their default when nothing is given, and nothing when the given list is empty', () => {
      expect(insideOf([{ use: 'box' }])).toMatchObject({
        nodes: [
          ['box', '/body/0', 'box'],
          ['usual', '/body/0', 'box'],
        ],
        problems: [],
      })
      expect(insideOf([{ use: 'box', slots: { inside: [] } }]).nodes).toHaveLength(1)
    })
    test('can be passed on by a fragment, whose parameters stay its own', () => {
      const { doc, problems } = insideOf([{ use: 'outer', with: { p: 'P' }, slots: { more: [{ id: 'more', widget: 'text' }] } }])
      expect(problems).toEqual([])
      expect(doc).toMatchObject({ body: [{ id: 'box', slots: { body: [{ id: 'own', props: { text: 'P' } }, { id: 'more' }] } }] })
    })
    test('have names, and occur in fragments only', () => {
      expect(insideOf([{ use: 'box', slots: { insyde: [] } }]).problems).toEqual([
        { pointer: '/body/0/slots/insyde', message: '"box" has no slot "insyde"', suggestion: 'inside' },
      ])
      expect(insideOf([{ slot: 'inside' }]).problems).toEqual([{ pointer: '/body/0', message: 'slots are only allowed in fragments' }])
    })
    test('have expressions as text in files', () => {
      const text = JSON.stringify({
        ...host([{ use: 'box', slots: { inside: [{ id: 'a', widget: 'text', show: 'state.n > 1' }] } }]),
        state: { n: 1 },
      })
      const { documents: read, problems } = parse([{ file: 'x.json', text }])
      expect(problems).toEqual([])
      expect(inline(read[0]!.doc, names(around)).doc).toMatchObject({
        body: [{ slots: { body: [{ show: { '>': [{ var: 'state.n' }, 1] } }] } }],
      })
    })
  })

  test('the source is not changed, and a document without fragments is the same object', () => {
    const source = host([{ use: 'leaf', with: { t: 'x' } }])
    const before = structuredClone(source)
    inline(source, names(fragments))
    expect(source).toEqual(before)
    const plain = host([leaf])
    expect(inline(plain, names(fragments)).doc).toBe(plain)
  })
})

describe('prepared for publishing', () => {
  const { documents: read } = parse(filesOf(documents()))
  const prepared = new Map(prepare(read, catalog).map((one) => [one.key, one]))
  test('needs, uses and text areas are computed', () => {
    expect(prepared.get('screen/orders.detail')?.computed).toEqual({
      requires: {
        widgets: ['button@1'],
        props: ['button.label'],
        operators: ['<', 'has', 'var'],
        words: [],
        steps: ['call', 'confirm', 'if', 'toast'],
        fields: [],
        outcomes: ['refresh', 'toast'],
        format: 1,
      },
      uses: ['prompt/cancel'],
      areas: ['orders'],
    })
    expect(prepared.get('screen/orders.list')?.computed.requires).toMatchObject({
      widgets: ['list@2', 'page@1', 'row@1'],
      operators: ['search', 'var', 'where'],
      steps: ['go', 'more'],
    })
    expect(prepared.get('app/app')?.computed).toMatchObject({ uses: ['quick-entries/tabs'], areas: ['app'] })
  })
  test('rows that a source sends are a need of their own', () => {
    const docs = documents()
    const list = docs['schemas/screens/orders/list.json'] as { data: { orders: object } }
    list.data.orders = { ...list.data.orders, send: { call: 'order.place', id: 'id' } }
    const made = prepare(parse(filesOf(docs)).documents, catalog).find(({ key }) => key === 'screen/orders.list')
    expect(made?.computed.requires.steps).toEqual(['go', 'more', 'source.send'])
  })
  test.each([
    ["format('percent', 0.5, object('max', 0))", ['percent.decimals']],
    ["money('1', 'BTC', 'percent', object('max', 0))", ['percent.decimals']],
    ["format('percent', 0.5, true)", []],
    ["format('amount', '0.5', object('max', 0))", []],
  ])('decimals of a percentage are a need of their own: %s', (text, steps) => {
    const body = [{ id: 'x', widget: 'text', props: { text: `= ${text}` } }]
    const file = { file: 'a.json', text: JSON.stringify({ kind: 'screen', id: 'a', format: 2, body }) }
    expect(prepare(parse([file]).documents, catalog)[0]?.computed.requires.steps).toEqual(steps)
  })
  test('fragments are inlined and not published', () => {
    expect(prepared.has('fragment/cancel-button')).toBe(false)
    expect(prepared.get('screen/orders.detail')?.canonical).not.toContain('"use"')
    expect(prepared.get('screen/orders.detail')?.canonical).toContain('"id":"cancel"')
  })
  test('a hidden entry is not published, and its guard stays in the document', () => {
    const tabs = read.find(({ key }) => key === 'quick-entries/tabs')!
    const [entry] = (tabs.doc as QuickEntriesDoc).entries as [EntryDoc]
    const guarded: EntryDoc = { ...entry, id: 'mine', show: { var: 'session.logged_in' } }
    const entriesOf = (mine: EntryDoc) => {
      const [made] = prepare([{ ...tabs, doc: { ...tabs.doc, entries: [entry, mine] } as AnyDoc }], catalog)
      expect(JSON.parse(made!.canonical)).toEqual(made!.doc)
      return (made!.doc as QuickEntriesDoc).entries
    }
    expect(entriesOf({ ...guarded, hidden: true })).toEqual([entry])
    expect(entriesOf(guarded)).toEqual([entry, guarded])
  })
  test('canonical text gives the document', () => {
    for (const { doc, canonical } of prepared.values()) expect(JSON.parse(canonical)).toEqual(doc)
  })
  test('the address of the schema is for editors only', () => {
    const [one] = read as [SourceDocument]
    const [made] = prepare([{ ...one, doc: { ...one.doc, $schema: '../x.json' } as AnyDoc }], catalog)
    expect(made?.canonical).not.toContain('$schema')
  })
})

test.each<[string, object | undefined, object | undefined]>([
  ['nothing', undefined, { '*': { toast: true } }],
  ['one code', { not_found: {} }, { '*': { toast: true }, not_found: {} }],
  ['every code', { '*': {} }, { '*': {} }],
])('a released document with calls shows refusals unless it says otherwise: %s', (_, errors, released) => {
  const screen = {
    kind: 'screen',
    id: 'a',
    format: 1,
    errors,
    body: [{ id: 'x', widget: 'button', on: { press: [{ call: 'order.cancel' }] } }],
  }
  const { documents: sources } = parse([{ file: 'a.json', text: JSON.stringify(screen) }])
  expect(prepare(sources, catalog)[0]?.doc).toHaveProperty('errors', released)
})

test('a released document without calls gets no outcomes', () => {
  const screen = { kind: 'screen', id: 'a', format: 1, body: [{ id: 'x', widget: 'button', on: { press: [{ back: true }] } }] }
  const { documents: sources } = parse([{ file: 'a.json', text: JSON.stringify(screen) }])
  expect(prepare(sources, catalog)[0]?.doc).not.toHaveProperty('errors')
})
