import { describe, expect, test } from 'vitest'
import { parse } from '#language/documents/parse.ts'
import { checks, lint, meaningChecks } from '#language/lint/run.ts'
import { catalog } from '#language/testdata/catalog.ts'
import { flowMistakes } from '#language/testdata/flow-mistakes.ts'
import { formMistakes } from '#language/testdata/form-mistakes.ts'
import { type Change, lintWith, type Mistake } from '#language/testdata/linted.ts'
import { moreMistakes } from '#language/testdata/more-mistakes.ts'
import { documents, filesOf, texts } from '#language/testdata/project.ts'
import { afterSuggestion } from '#language/testdata/suggested.ts'
import type { LintProblem } from '#language/types/catalog.ts'
import { coreMs } from '#tests/support/core-ms.ts'

const home = 'schemas/screens/home.json'
const list = 'schemas/screens/orders/list.json'
const detail = 'schemas/screens/orders/detail.json'
const cancelButton = 'schemas/fragments/cancel-button.json'
const button = '/body/0/slots/body/0'
const row = '/body/0/slots/body/0/slots/row/0'

test('the sample product has no problem', () => {
  expect(lintWith([])).toEqual([])
})

const table: Mistake[] = [
  ...formMistakes,
  ...flowMistakes,
  ...moreMistakes,
  ['fragments', 'an unknown fragment', [detail, '/body/1/use', 'cancel-buton'], /no fragment "cancel-buton"/, 'cancel-button'],
  ['fragments', 'a required parameter of a fragment', [detail, '/body/1/with', {}], /needs "symbol"/],
  ['fragments', 'an unknown parameter of a fragment', [detail, '/body/1/with/symbl', 1], /no parameter "symbl"/, 'symbol'],
  [
    'params',
    'a parameter that a fragment does not read',
    [cancelButton, '/params/spare', { type: 'string' }],
    /does not read "params.spare"/,
    undefined,
    'warn',
  ],
  ['calls', 'a call from a parameter in a screen', [detail, '/data/order', { call: { $: 'params.symbol' } }], /only a fragment may take/],
  ['steps', 'a parameter of a screen that is set', [detail, '/enter', [{ set: { 'params.symbol': 'x' } }]], /set writes to state, form/],
  [
    'calls',
    'a call that a fragment takes',
    [cancelButton, '/body/0/on', { press: [{ call: 'order.cancle' }] }],
    /no call "order.cancle"/,
    'order.cancel',
  ],
  ['steps', 'a path that a fragment sets', [cancelButton, '/body/0/on', { press: [{ set: { 'state.lost': 1 } }] }], /no "lost" in "state"/],
  ['ids', 'an id twice', [detail, '/body/0/id', 'cancel'], /"cancel" is already used.*fragment "cancel-button"/],
  ['widgets', 'a misspelt widget', [home, `${button}/widget`, 'buton'], /no widget "buton"/, 'button'],
  ['widgets', 'an unknown version', [list, '/body/0/slots/body/0/widget', 'list@3'], /no version 3/, 'list@2'],
  ['slots', 'an unknown slot', [home, '/body/0/slots/boddy', []], /no slot "boddy"/, 'body'],
  ['slots', 'a widget not allowed in it', [list, `${row}/widget`, 'button'], /takes row, not button/, 'row'],
  [
    'slots',
    'too many',
    [
      list,
      '/body/0/slots/head',
      [
        { id: 'a', widget: 'page', slots: { body: [] } },
        { id: 'b', widget: 'row', props: { title: 'x' } },
      ],
    ],
    /at most 1, not 2/,
  ],
  ['slots', 'too few', [home, '/body/0/slots', {}], /"body" of page requires at least 1/],
  ['events', 'an unknown event', [home, `${button}/on`, { pres: [{ back: true }] }], /no event "pres"/, 'press'],
  ['events', 'an unknown action', [list, '/body/0/slots/body/0/on/end', 'mor'], /no action "mor"/, 'more'],
  ['events', 'an unused action', [list, '/actions/idle', [{ back: true }]], /"idle" is never used/, undefined, 'warn'],
  ['expressions', 'an unknown operator', [home, '/body/0/show', { not: [{ var: 'data.site.open' }] }], /no operator "not"/],
  [
    'expressions',
    'a refused operator',
    [home, '/body/0/show', { '==': [{ var: 'data.site.open' }, true] }],
    /"==" is not available/,
    '===',
  ],
  [
    'expressions',
    'an operator misspelt in a prop',
    [list, `${row}/props/title`, { $: { cta: [{ var: 'item.symbol' }] } }],
    /no operator "cta"/,
    'cat',
  ],
  ['paths', 'a misspelt source member', [home, '/body/0/show', { has: 'data.site.opn' }], /no "opn" in "data.site"/, 'data.site.open'],
  ['paths', 'a misspelt source', [home, '/body/0/show', { has: 'data.sit.open' }], /no "sit"/, 'data.site.open'],
  ['paths', 'a misspelt root', [home, '/body/0/show', { has: 'dta.site.open' }], /paths start with/, 'data.site.open'],
  ['paths', 'a misspelt row member', [list, `${row}/props/price`, { $: 'item.prise' }], /no "prise" in "item"/, 'item.price'],
  ['paths', 'a row outside a repeat', [home, `${button}/show`, { has: 'item.id' }], /only available inside a repeat/],
  ['paths', 'a member in a search', [list, `${row}/repeat/each/$/search/2`, 'symbl'], /rows have no "symbl"/, 'symbol'],
  [
    'paths',
    'a member inside an iteration',
    [list, `${row}/repeat/each/$`, { filter: [{ var: 'data.orders.list' }, { '>': [{ var: 'prce' }, 1] }] }],
    /no "prce" in "the element"/,
    'price',
  ],
  ['paths', 'a parameter', [detail, '/body/1/with/symbol', { $: 'params.symbl' }], /no "symbl" in "params"/, 'params.symbol'],
  ['paths', 'a result of a call', [detail, '/body/0/on/press/2/if', { has: 'result.done.idd' }], /no "idd"/, 'result.done.id'],
  ['paths', 'the length of a list', [list, `${row}/props/title`, { $: 'data.orders.list.length' }], /is a list: .*"len"/],
  [
    'paths',
    'a path passed to a fragment',
    ['schemas/fragments/cancel-button.json', '/body/0/show', { has: 'params.symbl' }],
    /no "symbl"/,
    'params.symbol',
  ],
  [
    'operands',
    'ordering of a boolean',
    [home, '/body/0/show', { '<': [{ var: 'data.site.open' }, 1] }],
    /works on decimals, not on true or false/,
  ],
  [
    'operands',
    'a text in arithmetic',
    [detail, '/body/0/enable', { '<': [{ var: 'data.orders.list[params.id].price' }, 'ten'] }],
    /not on the text "ten"/,
  ],
  [
    'operands',
    'a word that cannot occur',
    [list, `${row}/show`, { '===': [{ var: 'item.side' }, 'bye'] }],
    /"bye" is none of buy, sell/,
    'buy',
  ],
  [
    'operands',
    'an unknown function',
    [home, '/body/0/show', { '>': [{ 'orders.fe': ['1', 'buy'] }, 0] }],
    /no function "orders.fe"/,
    'orders.fee',
  ],
  [
    'operands',
    'a function with too few arguments',
    [home, '/body/0/show', { '>': [{ 'orders.fee': ['1'] }, 0] }],
    /takes 2 values \(amount, side\), not 1/,
  ],
  [
    'operands',
    'a function with a boolean for a number',
    [home, '/body/0/show', { '>': [{ 'orders.fee': [{ var: 'data.site.open' }, 'buy'] }, 0] }],
    /"amount" of "orders.fee" takes a number, not true or false/,
  ],
  [
    'operands',
    'a function with a boolean for a text',
    [home, '/body/0/show', { '>': [{ 'orders.fee': ['1', { var: 'data.site.open' }] }, 0] }],
    /"side" of "orders.fee" takes a text, not boolean/,
  ],
  [
    'units',
    'a share in place of a price',
    [list, `${row}/props/price`, { $: 'item.filled' }],
    /a share \(0 to 1\) where a price is expected/,
    'item.price',
  ],
  [
    'units',
    'a share compared with a price',
    [list, `${row}/show`, { '<': [{ var: 'item.filled' }, { var: 'item.price' }] }],
    /a share \(0 to 1\) and a price cannot be compared/,
  ],
  ['operands', 'types that are never equal', [home, '/body/0/show', { '===': [{ var: 'data.site.open' }, 'yes'] }], /never the same/],
  [
    'operands',
    'a list operator on a text',
    [list, `${row}/props/title`, { $: { first: [{ var: 'item.symbol' }, 1] } }],
    /"first" works on a list/,
  ],
  ['props', 'an unknown prop', [home, `${button}/props/lable`, { $t: 'orders.hello' }], /no "lable"/],
  ['props', 'a misspelt prop', [list, `${row}/props`, { titel: 'x' }], /no "titel"/, 'title'],
  ['props', 'a missing prop', [list, `${row}/props`, {}], /"title" is missing/],
  ['props', 'a literal of the wrong type', [home, `${button}/props/size`, '2'], /where a whole number is expected/],
  ['props', 'a text in the wrong format', [home, `${button}/props/ratio`, '31:'], /does not match/],
  ['props', 'a number out of range', [home, `${button}/props/size`, 9], /more than 3/],
  ['props', 'a word that is not in the list', [list, `${row}/props/side`, 'sel'], /not one of buy, sell/, 'sell'],
  ['props', 'a path of the wrong type', [list, `${row}/props/price`, { $: 'item.symbol' }], /a text where a decimal as text/],
  [
    'props',
    'a computed value of the wrong type',
    [list, '/body/0/slots/body/0/props/more', { $: { cat: ['a', 'b'] } }],
    /a text where true or false/,
  ],
  ['props', 'a float in place of a decimal', [list, `${row}/props/price`, 1.5], /where a decimal as text is expected/],
  ['literal-text', 'literal text in a prop', [home, `${button}/props/label`, 'Hello'], /"Hello" is displayed text/],
  ['literal-text', 'literal text in a toast', [detail, '/body/0/on/press/2/then/0/toast', 'Done'], /"Done" is displayed text/],
  ['text-keys', 'an unknown key', [home, `${button}/props/label`, { $t: 'orders.helo' }], /no text "orders.helo"/, 'orders.hello'],
  [
    'text-keys',
    'a missing argument',
    ['schemas/fragments/cancel-button.json', '/body/0/props/label', { $t: 'orders.cancel', symbl: 'x' }],
    /requires "symbol"/,
    'symbol instead of symbl',
  ],
  ['text-keys', 'an unused argument', [home, `${button}/props/label/name`, 'x'], /does not use "name"/, undefined, 'warn'],
  ['refs', 'an icon', [home, `${button}/props/icon`, 'serch'], /no icon "serch"/, 'search'],
  ['refs', 'a list of entries', ['schemas/app.json', '/tabBar/props/list', 'tab'], /no quick-entries "tab"/, 'tabs'],
  ['refs', 'an icon of an entry', ['schemas/quick-entries/tabs.json', '/entries/0/icon', 'hme'], /no icon "hme"/, 'home'],
  ['targets', 'an unknown route', [home, `${button}/on/press/0/go`, 'pages/order5'], /no route "pages\/order5"/, 'pages/orders'],
  ['targets', 'an unknown parameter of the screen', [list, `${row}/on/press/0/params`, { id: 1, symbl: 'x' }], /no "symbl"/, 'symbol'],
  ['targets', 'a missing parameter', [list, `${row}/on/press/0/params`, {}], /"id" is missing/],
  ['targets', 'a parameter of the wrong type', [list, `${row}/on/press/0/params/id`, 'seven'], /where a whole number is expected/],
  ['steps', 'a page beside a screen that is not wide', [home, `${button}/on/press/0/beside`, true], /this screen is not "wide"/],
  ['targets', 'an entry', ['schemas/quick-entries/tabs.json', '/entries/0/to', 'pages/indx'], /no route/, 'pages/index'],
  [
    'routes',
    'an unknown screen',
    ['schemas/routes.json', '/routes/pages~1orders/screen', 'orders.lst'],
    /no screen "orders.lst"/,
    'orders.list',
  ],
  ['routes', 'home that is left out', ['schemas/routes.json', '/routes/~1/off', true], /leads to \/ by itself/],
  ['routes', 'a duplicate alias', ['schemas/routes.json', '/routes/~1/aliases/0', 'pages/order'], /already leads to pages\/order/],
  [
    'routes',
    'a duplicate address except for a slash',
    ['schemas/routes.json', '/routes/pages~1orders~1', { screen: 'home' }],
    /the address is taken: pages\/orders shows the screen "orders.list"/,
  ],
  ['addresses', 'an address that runs code', [home, `${button}/props/icon`, ' JavaScript:alert(1)'], /must not contain code/],
  [
    'addresses',
    'a picture from another host',
    [home, `${button}/props/src`, 'https://stranger.example/a.png'],
    /comes from the server of the app/,
  ],
  [
    'addresses',
    'a picture from another host in an expression',
    [home, `${button}/props/src`, { $: { if: [{ var: 'data.site.open' }, '//stranger.example/a.png', '/a.png'] } }],
    /comes from the server of the app/,
  ],
  ['tabs', 'an unknown tab', ['schemas/routes.json', '/routes/pages~1orders/tab', 'hom'], /no entry "hom"/, 'home'],
  [
    'tabs',
    'an entry whose route selects no tab',
    ['schemas/routes.json', '/routes/~1/tab', undefined],
    /does not select the tab "home"/,
    '"tab": "home" in the route',
  ],
  ['calls', 'an unknown call', [home, '/data/site/call', 'site.inof'], /no call "site.inof"/, 'site.info'],
  ['calls', 'an unknown argument', [list, '/data/orders/args', { status: 'open', staus: 'open' }], /takes no "staus"/, 'status'],
  ['calls', 'a missing argument', [list, '/data/orders/args', {}], /requires "status"/],
  ['calls', 'an unknown word', [detail, '/data/orders/args/status', 'opn'], /"opn" is none of open, done/, 'open'],
  [
    'calls',
    'a source that changes something',
    [home, '/data/placed', { call: 'order.place', args: { symbol: 'BTC', amount: '1' } }],
    /order.place changes or sends/,
  ],
  ['calls', 'pages of a call without pages', [home, '/data/site/pages', true], /does not return pages/],
  ['steps', 'an unknown source', [home, `${button}/on/press/0`, { refresh: ['sit'] }], /no source "sit"/, 'site'],
  ['steps', 'a source without pages', [list, '/actions/more/0/more', 'order'], /no source "order" with pages/, 'orders'],
  ['steps', 'an unknown sheet', [home, `${button}/on/press/0`, { open: 'pag' }], /no node "pag"/, 'page'],
  ['steps', 'an unknown prompt', [detail, '/body/0/on/press/0/confirm', 'cancle'], /no prompt "cancle"/, 'cancel'],
  ['steps', 'parameters of a prompt', [detail, '/body/0/on/press/0/with', {}], /reads "params.symbol", which is not given/],
  ['steps', 'undeclared state', [list, '/actions/more/0', { set: { 'state.txt': 'x' } }], /nothing to set/, 'state.text'],
  ['steps', 'an undeclared device value', [list, '/actions/more/0', { set: { 'device.recnt': [] } }], /nothing to set/, 'device.recent'],
  ['steps', 'a link to another host', [list, '/actions/more/0', { link: 'https://hlp.example/x' }], /not among the hosts/, 'help.example'],
  ['steps', 'a file name without an extension', [list, '/actions/more/0', { save: { name: 'list', text: 'x' } }], /no name of a file/],
  ['steps', 'a file name with a folder', [list, '/actions/more/0', { save: { name: '../list.csv', text: 'x' } }], /no name of a file/],
  ['steps', 'a link without https', [list, '/actions/more/0', { link: 'http://help.example/x' }], /https address/],
  ['outcomes', 'an outcome without a code', [detail, '/errors/not_fond', {}], /answers "not_fond"/, 'not_found'],
  ['outcomes', 'an unknown source', [detail, '/errors/*/refresh/0', 'order'], /no source "order"/, 'orders'],
  ['guards', 'a source on an open route', ['schemas/routes.json', '/routes/pages~1orders/auth', undefined], /order.list needs a login/],
  [
    'guards',
    'a press on an open route',
    ['schemas/routes.json', '/routes/pages~1order/auth', false],
    /order.cancel needs a login/,
    '"auth": true on the route',
  ],
  ['labels', 'a control without a name', [home, `${button}/props/label`, undefined], /no accessible name/],
  ['statuses', 'a status that no contract knows', [home, `${button}/props`, { status: 'open' }], /no status of the contract/],
  ['conditions', 'always the same', [home, '/body/0/show', { '===': [1, 1] }], /reads nothing/],
  ['conditions', 'never', [home, '/body/0/show', false], /always false/, undefined, 'warn'],
  [
    'theme',
    'text with too little contrast',
    ['schemas/theme.json', '/dark/quiet', '#3A4250'],
    /"quiet" on "ground" has a contrast of 1\.\d+ : 1/,
  ],
  [
    'theme',
    'a tab bar whose text follows the quiet colour of the theme',
    ['schemas/theme.json', '/dark/tabbar-ground', '#98A2B3'],
    /"quiet" on "tabbar-ground" has a contrast of 1\.\d+ : 1/,
  ],
  ['theme', 'a name in one palette only', ['schemas/theme.json', '/light/quite', '#525D6E'], /"quite" stands in light only/, 'quiet'],
  [
    'unused',
    'a screen without a route',
    ['schemas/routes.json', '/routes/~1/screen', 'orders.list'],
    /no route shows the screen "home"/,
    undefined,
    'warn',
  ],
  [
    'values',
    'an unused value',
    ['schemas/screens/home.json', '/values', { x: 'state.tab' }],
    /nothing reads the value "x"/,
    undefined,
    'warn',
  ],
]

const applied: boolean[] = []
describe('a mistake is found, with its place and the nearest valid name', () => {
  test.each(table)('%s: %s', (check, _, change, said, suggestion, severity = undefined) => {
    const problems = lintWith([change])
    const found = problems.filter((problem) => problem.check === check && said.test(problem.message))
    expect(problems.map(({ check: by, message }) => `${by}: ${message}`).join('\n')).toMatch(said)
    expect(found.length).toBeGreaterThan(0)
    const [problem] = found as [LintProblem]
    if (suggestion !== undefined) expect(problem.suggestion).toBe(suggestion)
    expect(problem.severity).toBe(severity ?? 'error')
    expect(problem.line).toBeGreaterThan(0)
    if (!problem.file.startsWith('locales')) expect(problem.pointer).toMatch(/^\//)
    for (const one of found) {
      if (one.suggestion === undefined) continue
      const after = afterSuggestion(change, one)
      applied.push(after !== undefined)
      if (after) expect(after).toEqual({ different: [expect.stringContaining(one.suggestion)], left: [] })
    }
  })

  test('most suggestions can be applied', () => {
    expect(applied.filter(Boolean).length).toBeGreaterThan(applied.length * 0.7)
  })
  test('every check has a mistake in the table, or a test of its own', () => {
    const covered = new Set([...table.map(([check]) => check), 'locales', 'kinds', 'plural-forms', 'risk', 'planned', 'sends'])
    // tests/unit/mistakes.test.ts has a table of the families of meaning, language/publish/open-planned.test.ts one of `planned`, and meaning/sends.test.ts one of `sends`.
    expect(covered.size).toBe(checks.length - meaningChecks.length)
  })
})

test.each(['app', 'routes', 'theme'])('a set without its %s document is refused', (kind) => {
  const docs: Record<string, unknown> = documents()
  delete docs[`schemas/${kind}.json`]
  const problems = lint(parse(filesOf(docs)).documents, texts(), catalog).filter(({ check }) => check === 'kinds')
  expect(problems).toMatchObject([{ severity: 'error', file: `schemas/${kind}.json`, message: expect.stringContaining(kind) }])
})

describe('lines', () => {
  test('a problem names the right line', () => {
    const [problem] = lintWith([[home, `${button}/props/icon`, 'serch']])
    const text = filesOf(documents()).find(({ file }) => file === home)?.text ?? ''
    expect(text.split('\n')[(problem as LintProblem).line - 1]).toContain('"icon"')
  })
})

describe('valid documents without findings', () => {
  const quiet: [string, Change][] = [
    [
      'a login asked for in the condition of a source',
      [home, '/data/mine', { call: 'order.list', args: { status: 'open' }, when: { var: 'session.logged_in' } }],
    ],
    ['a symbol that is not literal', [home, `${button}/props/label`, '—']],
    ['a fragment twice under its own name', [detail, '/body/2', { use: 'cancel-button', as: 'second', with: { symbol: 'BTC' } }]],
    ['a nullable member in a text', [list, `${row}/props/title`, { $: 'item.note' }]],
    ['arithmetic where a decimal is wanted', [list, `${row}/props/price`, { $: { '*': [{ var: 'item.price' }, 2] } }]],
    ['a number as an argument that is sent as text', [detail, '/body/0/on/press/1/args/id', 7]],
    ['a record without the member that its path names', [detail, '/enter', [{ set: { 'device.alerts[params.symbol]': { price: '1' } } }]]],
    ['state declared as null', [list, '/state/chosen', null]],
  ]
  test.each(quiet)('%s', (_, change) => {
    expect(lintWith([change]).filter(({ severity }) => severity === 'error')).toEqual([])
  })
})

test('four times the documents take about four times the work', { tags: 'full' }, () => {
  const row = documents()[list].body[0]?.slots.body[0]
  const linted = (count: number) => {
    const docs: Record<string, unknown> = documents()
    for (let i = 0; i < count; i += 1) {
      const nodes = Array.from({ length: 15 }, (_, j) => ({
        ...structuredClone(row),
        id: `list${j}`,
        slots: { row: [{ ...structuredClone(row?.slots.row[0]), id: `row${j}` }] },
      }))
      docs[`schemas/screens/many/${i}.json`] = {
        ...documents()[list],
        id: `many.${i}`,
        body: [{ id: 'page', widget: 'page', slots: { body: nodes } }],
      }
    }
    const parsed = parse(filesOf(docs))
    return { parsed, problems: lint(parsed.documents, texts(), catalog) }
  }
  const { parsed, problems } = linted(51)
  expect(parsed.documents).toHaveLength(64)
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
  // A rule that compares each document with each other would make the ratio 16.
  expect(coreMs(() => linted(48)) / coreMs(() => linted(12))).toBeLessThan(8)
})
