import { expect, test } from 'vitest'
import { parse } from '#language/documents/parse.ts'
import { partsGuide } from '#scripts/parts-guide.ts'

const files = {
  'schemas/fragments/filter.json': {
    kind: 'fragment',
    id: 'filter',
    format: 2,
    params: {
      rows: { type: 'list', required: true },
      title: { type: 'string', default: '@shop.all' },
      side: { type: 'enum', values: ['buy', 'sell'] },
    },
    state: { open: false },
    body: [
      { id: 'title', widget: 'text', props: { text: '= params.title' }, show: 'data.orders.total > 0 and state.open and form.amount > 0' },
      { id: 'more', widget: 'button', on: { press: [{ set: { 'state.chosen': 'all', 'device.seen': true } }, { refresh: ['prices'] }] } },
      { use: 'period', as: 'first-period' },
      { id: 'from', widget: 'text', props: { text: "= format('date', state.first_period_from)" } },
      { slot: 'row' },
    ],
  },
  'schemas/fragments/period.json': {
    kind: 'fragment',
    id: 'period',
    format: 2,
    state: { from: null },
    body: [{ id: 'p', widget: 'text' }],
  },
  'schemas/screens/shop.json': {
    kind: 'screen',
    id: 'shop',
    format: 2,
    body: [
      { use: 'filter', with: { rows: [] } },
      { use: 'filter', as: 'b', with: { rows: [] } },
    ],
  },
  'schemas/validations/least.json': {
    kind: 'validation',
    id: 'least',
    format: 2,
    params: { least: { type: 'decimal', required: true } },
    test: '1 < value and value <= params.least',
    message: { $t: 'shop.least', least: '= params.least' },
  },
}

test('each fragment and validation has one line, with what it takes, what it reads and who uses it', () => {
  const { documents, problems } = parse(Object.entries(files).map(([file, doc]) => ({ file, text: JSON.stringify(doc) })))
  expect(problems).toEqual([])
  const lines = partsGuide(documents, (key) => (key === 'shop.least' ? 'At least {{least}} | coins' : undefined)).split('\n')
  expect(lines.filter((line) => /^\| `/.test(line))).toEqual([
    '| `filter` | **`rows`** list, `title` string = `@shop.all`, `side` buy / sell | `data.orders`, `data.prices`, `form.amount`, `state.chosen` | `row` | `shop` |',
    '| `period` | – | – | – | `filter` |',
    '| `least` | **`least`** decimal | `1 < value and value <= params.least` | At least {{least}} \\| coins |',
  ])
})
