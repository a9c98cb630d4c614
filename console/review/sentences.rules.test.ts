import { expect, test } from 'vitest'
import { memberName, type Speech, sentencesOf, shownValue, textSentences } from '#console/review/sentences.rules.ts'
import type { Change, DocumentDiff } from '#language/publish/publishing.ts'

const known = new Set(['review.member.title', 'review.member.on', 'review.member.show'])
/** Returns the key and its arguments, as i18next returns an unknown key. */
const speech: Speech = {
  say: (key, args) =>
    key.startsWith('review.member.') && !known.has(key) ? key : `${key.slice(7)}${args ? ` ${Object.values(args).join('|')}` : ''}`,
  wordsOf: (key) => ({ 'home.mining': 'Mining' })[key],
  languageName: (id) => ({ en: 'English', zh: '中文', fr: 'Français' })[id] ?? id,
  tag: 'en',
}
const diff = (change: Partial<DocumentDiff>): DocumentDiff => ({
  path: 'schemas/a.json',
  document: 'screen/a',
  state: 'changed',
  changes: [],
  screens: [],
  ...change,
})
const change = (one: Partial<Change>): Change => ({
  kind: 'changed',
  document: 'screen/a',
  path: 'schemas/a.json',
  pointer: '/x',
  node: 'n',
  member: '',
  ...one,
})

test.each<[string, unknown, string, string | undefined]>([
  ['words of a key', { $t: 'home.mining' }, '', '“Mining”'],
  ['a key without words', { $t: 'home.x' }, '', '“home.x”'],
  ['a path', { $: 'data.a.b' }, '', 'data.a.b'],
  ['logic', { '===': [{ var: 'session.kyc' }, 1] }, 'show', 'session.kyc = 1'],
  ['an object that is no logic', { a: 1 }, 'props.rows', undefined],
  ['a list', [1], 'x', undefined],
  ['a long text', 'x'.repeat(99), '', `“${'x'.repeat(59)}…”`],
  ['yes', true, '', 'value.yes'],
  ['nothing', undefined, '', 'value.none'],
])('shows %s', (_what, value, member, text) => expect(shownValue(value, speech, member)).toBe(text))

test.each([
  ['props.title', 'member.title title'],
  ['show', 'member.show show'],
  ['on.press', 'member.on press'],
  ['props.weird', 'weird'],
])('calls %s by its word', (member, words) => expect(memberName(member, speech.say)).toBe(words))

test.each<[string, Partial<DocumentDiff>, string[]]>([
  ['a new document', { state: 'added' }, ['say.file_added']],
  ['one that is gone', { state: 'removed' }, ['say.file_removed']],
  ['formatting alone', {}, ['say.formatting']],
  ['a node more', { changes: [change({ kind: 'added' })] }, ['say.added n']],
  ['an entry that is hidden', { changes: [change({ member: 'hidden', before: undefined, after: true })] }, ['say.hidden n']],
  ['one that is shown again', { changes: [change({ member: 'hidden', before: true, after: undefined })] }, ['say.shown n']],
  ['another name', { changes: [change({ kind: 'renamed', before: 'a', after: 'b' })] }, ['say.renamed a|b']],
  [
    'a member',
    { changes: [change({ member: 'props.title', before: 'A', after: { $t: 'home.mining' } })] },
    ['say.from_to n|member.title title|“A”|“Mining”'],
  ],
  ['a member that is new', { changes: [change({ member: 'show', after: true })] }, ['say.set n|member.show show|value.yes']],
  ['a member that is gone', { changes: [change({ member: 'show', before: true })] }, ['say.unset n|member.show show']],
  ['a member too long to show', { changes: [change({ member: 'on.press', before: [], after: [1] })] }, ['say.member n|member.on press']],
  ['a colour', { changes: [change({ before: '#111111', after: '#222222' })] }, ['say.value n|“#111111”|“#222222”']],
  [
    'something of the whole',
    { changes: [change({ node: null, member: 'props.title', before: 1, after: 2 })] },
    ['say.whole_from_to |member.title title|1|2'],
  ],
])('says %s', (_what, one, sentences) => expect(sentencesOf(diff(one), speech).map(({ text }) => text)).toEqual(sentences))

test('says a text key once, with all its languages', () => {
  const area = (language: string, ...changes: Partial<Change>[]) =>
    diff({ path: `locales/${language}/home.json`, document: `texts/${language}/home`, changes: changes.map(change) })
  const diffs = [
    area('en', { node: 'mining' }, { node: 'new', kind: 'added' }),
    area('zh', { node: 'home.mining' }),
    diff({ changes: [change({})] }),
  ]
  expect(textSentences(diffs, speech).map(({ text }) => text)).toEqual([
    'say.text_changed home.mining|Mining|English and 中文',
    'say.text_added_bare home.new||English',
  ])
})
