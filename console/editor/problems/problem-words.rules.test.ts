import { expect, test } from 'vitest'
import { messageInWords, placeInWords } from '#console/editor/problems/problem-words.rules.ts'
import { createWords } from '#console/io/words.ts'
import { parse } from '#language/documents/parse.ts'
import { parseLogic } from '#language/text/logic-text.ts'

const words = { 'home.markets': 'Markets' }
const entries = { kind: 'quick-entries', id: 'home', entries: [{ id: 'a', label: { $t: 'home.markets' } }, { id: 'b' }] }
const node = { id: 'go', widget: 'button', props: { label: { $t: 'home.markets' } }, on: { press: [{ go: 'nowhere' }] } }
const screen = { kind: 'screen', id: 'x', data: { info: { call: 'a' } }, body: [{ id: 'page', widget: 'page', slots: { body: [node] } }] }

test.for([
  [entries, '/entries/0', 'Entry Markets'],
  [entries, '/entries/0/label/$t', 'Entry Markets, label'],
  [entries, '/entries/1/to', 'Entry b, to'],
  [screen, '/body/0/slots/body/0', 'Node Markets'],
  [screen, '/body/0/slots/body/0/on/press/0/go', 'Node Markets, go'],
  [screen, '/body/0/slots/head', 'Node page, head'],
  [screen, '/data/info/call', 'Data info, call'],
  [{ fields: [{ name: 'amount', widget: 'decimal-field', label: 'Amount' }] }, '/fields/0/max', 'Field Amount, max'],
  [screen, '', ''],
  [undefined, '/news', 'news'],
] as const)('%# %s', async ([doc, pointer, place]) => {
  expect(placeInWords(doc, pointer, (await createWords('en')).say, words)).toBe(place)
})

const said = [
  [
    'expected object, received string',
    'This should be a group of values and is a text.',
    'ここは値のまとまりであるべきですが、テキストになっています。',
  ],
  ['"key" is missing', '“key” is missing.', '「key」がありません。'],
  ['at least 1 entry', 'At least 1 here.', 'ここは最低 1 件必要です。'],
  ['at most 300 characters', 'Number of characters: at most 300.', '文字数：300 以下'],
  ['"9" is not a name here', '“9” cannot be a name here.', '「9」はここでは名前に使えません。'],
  [
    '"9" is not written in the form that is needed here',
    'This is not written in the form that belongs here.',
    'ここで使える書き方ではありません。',
  ],
  ['there is no call ""', 'Choose one.', '選択してください。'],
  ['there is no route "nowhere"', '“nowhere” does not exist.', '「nowhere」は存在しません。'],
  ['"home.news" has no text in ja, ko', '“home.news” is not translated yet: ja, ko.', '「home.news」は未翻訳です：ja, ko'],
  ['this cannot be parsed: a <', 'This cannot be read yet: a <', 'まだ読み取れません：a <'],
  ['"a.b" uses {{n}} in en, not in ja', '“a.b” has lost “n” in ja.', '「a.b」の ja に「n」がありません。'],
  [
    'the address "a/b" showed the screen "c" and now shows "d"',
    'The address “a/b” shows the screen c now. This draft shows d there.',
    'アドレス「a/b」には現在、画面 c が表示されます。このドラフトでは d が表示されます。',
  ],
] as const
test.for(said)('%s', async ([message, english, japanese]) => {
  expect(messageInWords(message, screen, (await createWords('en')).say, words)).toBe(english)
  expect(messageInWords(message, screen, (await createWords('ja')).say, words)).toBe(japanese)
})

test('a place within a sentence is named', async () => {
  const { say } = await createWords('en')
  expect(messageInWords('the same stands at /entries/0', entries, say, words)).toBe('the same stands at Entry Markets')
  expect(messageInWords('it is like "data/entries"', entries, say, words)).toBe('it is like "data/entries"')
})

/** Expressions and documents with a mistake of each kind that operators make in forms and formula boxes. */
const mistakes = [
  'form.',
  'form.a =',
  'form.a form.b',
  '(form.a',
  'form.a = some words',
  'form.a < 1 < 2 = 3',
  "form.a = 'x",
  'data[form.a',
  'forms.a',
  'len(form.a, 1, 2)',
  '$',
  "'x'",
]
test.for(mistakes)('the mistake in "%s" is said in words of the console', async (text) => {
  const read = parseLogic(text)
  expect(read.ok).toBe(false)
  if (read.ok) return
  for (const language of ['en', 'zh', 'th', 'fr'] as const)
    expect(messageInWords(read.problem.message, undefined, (await createWords(language)).say, words), language).not.toBe(
      read.problem.message,
    )
})

const field = { name: 'a', type: 'string', label: 'A' }
const form = (more: object) => ({
  kind: 'form',
  id: 'a',
  format: 1,
  fields: [field],
  submit: { label: 'Go', steps: [{ back: true }] },
  ...more,
})
test.for([
  [form({ id: 'a b' }), 'This is not written in the form that belongs here.'],
  [form({ fields: [] }), 'At least 1 here.'],
  [form({ fields: [{ ...field, type: 'texts' }] }), 'is not offered here. Choose one of:'],
  [form({ fields: [{ ...field, label: 'A', minLength: 'x' }] }), 'This should be a number and is a text.'],
  [form({ submit: { label: 'Go', steps: [{ nothing: 1 }] } }), 'Something is missing here. Begin with one of:'],
  [form({ fields: [{ ...field, widget: 'Text field' }] }), 'Choose a widget.'],
] as const)('%j is refused with "%s"', async ([doc, wanted]) => {
  const { say } = await createWords('en')
  const [problem] = parse([{ file: 'a.json', text: JSON.stringify(doc) }]).problems
  expect(messageInWords(problem!.message, doc, say, words)).toContain(wanted)
})
