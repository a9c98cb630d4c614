/**
 * Reference of expressions: arguments, result and examples of each operator. docs/guides/expressions.md and tests are generated from it.
 */

interface OperatorReference {
  /** The arguments in order; a question mark follows an optional one. */
  takes: string
  gives: string
  /** An expression as text, and its value for `sample`. */
  examples: readonly (readonly [text: string, value: unknown])[]
}

/** Data that the examples read. */
export const sample = {
  data: {
    coins: [
      { id: 1, code: 'BTC', price: '60000' },
      { id: 2, code: 'ETH', price: '2500.5' },
    ],
  },
  state: { id: 2, text: 'et', picked: ['BTC'], note: null },
  form: { amount: '100', from: 'BTC' },
  clock: 1_700_000_000_000,
} as const

const list = 'list, expression for each element'

/** By the operator's name in a tree. */
export const reference: Readonly<Record<string, OperatorReference>> = {
  var: {
    takes: 'path',
    gives: 'the value of the path; after `??` the value to use when there is none',
    examples: [
      ['form.amount', '100'],
      ["data.none ?? 'none'", 'none'],
    ],
  },
  if: {
    takes: 'condition, value, …, otherwise',
    gives: 'the value of the first condition that is true',
    examples: [["if(state.id = 1, 'one', state.id = 2, 'two', 'many')", 'two']],
  },
  and: {
    takes: 'a, b, …',
    gives: 'the first operand that is false, otherwise the last operand',
    examples: [['state.id = 2 and form.amount > 50', true]],
  },
  or: {
    takes: 'a, b, …',
    gives: 'the first operand that is true, otherwise the last operand',
    examples: [["state.note or 'none'", 'none']],
  },
  '!': { takes: 'a', gives: 'true when the value is false, 0, "", null, or an empty list', examples: [['not state.note', true]] },
  '!!': { takes: 'a', gives: 'true or false of a value', examples: [['!!(state.picked)', true]] },
  '===': {
    takes: 'a, b',
    gives: 'true when both are equal: decimals by value, everything else strictly',
    examples: [
      ["'1.0' = 1", true],
      ["state.text = 'et'", true],
    ],
  },
  '!==': { takes: 'a, b', gives: 'true when they are not equal', examples: [["form.from != 'BTC'", false]] },
  '<': {
    takes: 'a, b, c?',
    gives: 'true when a is less than b; with three arguments, when b lies between',
    examples: [
      ["'9.5' < '10'", true],
      ['1 < state.id < 3', true],
    ],
  },
  '<=': { takes: 'a, b, c?', gives: 'the same, or equal', examples: [['form.amount <= 100', true]] },
  '>': { takes: 'a, b', gives: 'true when a is greater than b', examples: [['form.amount > 99.99', true]] },
  '>=': { takes: 'a, b', gives: 'the same, or equal', examples: [['form.amount >= 100', true]] },
  has: {
    takes: 'path',
    gives: 'true when there is a value other than null',
    examples: [
      ['has(form.amount)', true],
      ['has(state.note)', false],
    ],
  },
  present: {
    takes: 'expression',
    gives: 'for a computed value: true when it is not null and no value read for it was missing; written `has(…)`',
    examples: [
      ['has(form.amount * 2)', true],
      ['has(data.gone * 2)', false],
    ],
  },
  outer: {
    takes: 'path',
    gives: 'inside an iteration, a path that starts at a root; written like any path',
    examples: [['filter(data.coins, .id = state.id)', [{ id: 2, code: 'ETH', price: '2500.5' }]]],
  },
  empty: {
    takes: 'value',
    gives: 'true for null, `""`, `[]` and `{}`',
    examples: [
      ['empty(state.note)', true],
      ['empty(data.coins)', false],
    ],
  },
  '+': {
    takes: 'a, b, …',
    gives: 'the exact sum, as decimal text',
    examples: [
      ['0.1 + 0.2', '0.3'],
      ['state.id + 1', 3],
    ],
  },
  '-': {
    takes: 'a, b?',
    gives: 'the difference; for one argument, its negative',
    examples: [
      ['form.amount - 0.5', '99.5'],
      ['-state.id', -2],
    ],
  },
  '*': { takes: 'a, b, …', gives: 'the product, to 40 decimals', examples: [["form.amount * '0.001'", '0.1']] },
  '/': {
    takes: 'a, b',
    gives: 'the quotient, to 20 decimals; null when b is 0',
    examples: [
      ['1 / 8', '0.125'],
      ['1 / 0', null],
    ],
  },
  '%': { takes: 'a, b', gives: 'the remainder; null when b is 0', examples: [["'7.5' % 2", '1.5']] },
  min: { takes: 'a, b, … or one list', gives: 'the least', examples: [["min(form.amount, '99.5')", '99.5']] },
  max: { takes: 'a, b, … or one list', gives: 'the greatest', examples: [['max(map(data.coins, .price))', '60000']] },
  round: {
    takes: 'value, places?, mode?',
    gives: 'the value rounded to so many decimals; the mode is `half-up` (default), `half-even`, `down` or `up`',
    examples: [
      ["round('2.345', 2)", '2.35'],
      ["round('2.341', 2, 'up')", '2.35'],
    ],
  },
  floorTo: {
    takes: 'value, step',
    gives: 'the largest multiple of the step that is not above the value',
    examples: [["floorTo('1.237', '0.05')", '1.2']],
  },
  cat: { takes: 'a, b, …', gives: 'one text', examples: [["cat(form.amount, ' ', form.from)", '100 BTC']] },
  substr: {
    takes: 'text, start, length?',
    gives: 'a part of the text, in characters as `len` counts them; a negative start counts from the end',
    examples: [
      ["substr('0123456', -3)", '456'],
      ["substr('👍🏽 fine', 0, 1)", '👍🏽'],
    ],
  },
  split: { takes: 'text, separator', gives: 'the parts of the text as a list', examples: [["split('BTC/USDT', '/')", ['BTC', 'USDT']]] },
  in: {
    takes: 'needle, list or text',
    gives: 'true when the list contains the value, or the text contains the part',
    examples: [['form.from in state.picked', true]],
  },
  len: {
    takes: 'text or list',
    gives: 'the number of members, or of characters that a person sees: a letter with its marks, or an emoji with its parts, is one',
    examples: [
      ['len(data.coins)', 2],
      ["len('สวัสดี')", 4],
    ],
  },
  object: { takes: '`name`, value, …', gives: 'a record', examples: [["object('id', state.id, 'label', 'Two')", { id: 2, label: 'Two' }]] },
  map: { takes: list, gives: 'the values as a list', examples: [['map(data.coins, .code)', ['BTC', 'ETH']]] },
  filter: {
    takes: list,
    gives: 'the elements for which the expression is true',
    examples: [['len(filter(data.coins, .price > 5000))', 1]],
  },
  find: {
    takes: `${list}, \`member\`?`,
    gives: 'the first element for which the expression is true, or its member; null without one',
    examples: [
      ["find(data.coins, .code = form.from, 'price')", '60000'],
      ['has(find(data.coins, .id = 9))', false],
    ],
  },
  all: {
    takes: list,
    gives: 'true when the expression is true for each; false for an empty list',
    examples: [['all(data.coins, .price > 0)', true]],
  },
  some: { takes: list, gives: 'true when the expression is true for one', examples: [["some(data.coins, .code = 'ETH')", true]] },
  none: { takes: list, gives: 'true when the expression is true for none', examples: [['none(data.coins, .price < 0)', true]] },
  reduce: {
    takes: 'list, expression with `.current` and `.accumulator`, start',
    gives: 'the final accumulator',
    examples: [['reduce(data.coins, .accumulator + .current.price, 0)', '62500.5']],
  },
  sum: {
    takes: 'list, `member`?',
    gives: 'the exact sum of the member, or of the values themselves, as decimal text; a row without a value adds nothing',
    examples: [
      ["sum(data.coins, 'price')", '62500.5'],
      ['sum([])', 0],
    ],
  },
  where: {
    takes: 'list, `member`, value',
    gives: 'the rows whose member equals the value',
    examples: [["len(where(data.coins, 'code', 'BTC'))", 1]],
  },
  whereIn: {
    takes: 'list, `member`, values',
    gives: 'the rows in the order of the values',
    examples: [["map(whereIn(data.coins, 'code', state.picked), .id)", [1]]],
  },
  search: {
    takes: 'list, text, `member`, …',
    gives: 'the rows with the text in one of the members, whatever the case, accents or width; all rows for an empty text',
    examples: [["map(search(data.coins, state.text, 'code'), .code)", ['ETH']]],
  },
  rename: {
    takes: 'list, `new`, `old`, …',
    gives: 'the rows with renamed members',
    examples: [["rename(where(data.coins, 'id', 1), 'id', 'id', 'label', 'code')", [{ id: 1, label: 'BTC' }]]],
  },
  first: { takes: 'list, n', gives: 'the first n rows', examples: [['map(first(data.coins, 1), .id)', [1]]] },
  toggle: {
    takes: 'list, item',
    gives: 'the list without the item, or with the item appended when it was not in it',
    examples: [["toggle(state.picked, 'ETH')", ['BTC', 'ETH']]],
  },
  prepend: { takes: 'list, item, n', gives: 'the item first, n in all', examples: [["prepend(state.picked, 'ETH', 1)", ['ETH']]] },
  sort: {
    takes: 'list, `up` or `down`?, `member`?',
    gives:
      'the rows in the order of the member, or of themselves: numbers by amount, then texts whatever the case or accents; rows without a value last',
    examples: [
      ["map(sort(data.coins, 'up', 'price'), .code)", ['ETH', 'BTC']],
      ["sort(['b', 'a'])", ['a', 'b']],
    ],
  },
  slice: {
    takes: 'list, from, n?',
    gives: 'n rows, or all, from a place on that counts from 0; a negative place counts from the end',
    examples: [['map(slice(data.coins, 1, 1), .id)', [2]]],
  },
  last: { takes: 'list, n', gives: 'the last n rows', examples: [['map(last(data.coins, 1), .id)', [2]]] },
  concat: { takes: 'list, list, …', gives: 'the rows of all lists', examples: [["concat(state.picked, ['ETH'])", ['BTC', 'ETH']]] },
  range: {
    takes: 'from, to, step?',
    gives: 'the numbers from one to the other, both included, at most 1,000',
    examples: [
      ['range(1, 4)', [1, 2, 3, 4]],
      ["range(1, '0.5', '-0.25')", [1, '0.75', '0.5']],
    ],
  },
  distinct: {
    takes: 'list, `member`?',
    gives: 'the rows without those whose member, or which themselves, stood before',
    examples: [['distinct([1, 2, 1])', [1, 2]]],
  },
  join: { takes: 'list, separator', gives: 'the members as one text', examples: [["join(map(data.coins, .code), ', ')", 'BTC, ETH']] },
  case: {
    takes: 'value, a, result, b, result, …, otherwise?',
    gives: 'the result behind the first value that equals it; only that one is computed',
    examples: [["case(state.id, 1, 'one', 2, 'two', 'many')", 'two']],
  },
  t: {
    takes: 'key, `name`, value, …',
    gives:
      'the words of a text key in the reader’s language, with arguments; `context` picks the text `<key>_<context>`. For lists that are computed: elsewhere write `"@key"` or `{"$t": key}`',
    examples: [["t('event.kind', 'context', data.coins.0.code)", 'event.kind']],
  },
  days: { takes: 'number', gives: 'the milliseconds of so many days', examples: [['days(7)', 604_800_000]] },
  money: {
    takes: 'value, coin, kind?, option?',
    gives: 'the value as `format` writes it, `amount` unless a kind is named, before its coin; `–` where there is no value',
    examples: [
      ["money(form.amount, 'USDT')", '100 USDT'],
      ["money(data.none, 'USDT')", '–'],
    ],
  },
  match: {
    takes: 'text, pattern',
    gives:
      'true when the whole text matches the pattern: `email`, `mobile`, `mobile-cn`, `url`, `digits`, `letters`, `alphanumeric`, `amount`, `words`, `clock`',
    examples: [["match('0042', 'digits')", true]],
  },
  now: {
    takes: '',
    gives:
      'the current time of the server in milliseconds since 1970. Nodes that read it are evaluated again every second; a source is not asked again',
    examples: [['now()', 1_700_000_000_000]],
  },
  before: {
    takes: 'a, b',
    gives: 'true when the first time is earlier: milliseconds or ISO 8601',
    examples: [["before('2023-01-01', now())", true]],
  },
  format: {
    takes: 'kind, value, option?',
    gives:
      "a text in the reader’s language, none for null; the kind is `amount`, `signed` (an amount with + or −, for gains and losses), `price`, `rate`, `percent`, `compact`, `fiat`, `date`, `dateTime` or `ago`. The option is the tick of a `price` (`0.01`), true for the sign of a `percent`, `object('min', 2, 'max', 4)` for the decimals of an `amount` or a `percent` (which has two without it, and with `'signed', true` also the sign), and `'relative'` for an `ago` that names months and years after thirty days instead of the date",
    examples: [
      ["format('amount', form.amount)", '100'],
      ["format('ago', data.none, 'relative') ?? '–'", '–'],
    ],
  },
  valid: { takes: '`field`?', gives: 'true when the field, or the whole form, has no problem', examples: [['valid()', false]] },
  dirty: { takes: '`field`?', gives: 'true when the field, or the whole form, was changed', examples: [["dirty('amount')", false]] },
}
