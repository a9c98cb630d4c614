import { expect, test } from 'vitest'
import { applySuggestion } from '#language/edit/suggestion.ts'
import { printText } from '#language/text/json-text.ts'

const text = printText({ kind: 'x', widget: 'buton', props: { tilte: 'x' }, show: "data.inf.a = 'data' and len(state.b) > 1" })

test.for([
  ['/widget', 'button', 'there is no widget "buton"', '"widget": "button"'],
  ['/props/tilte', 'title', 'text: no prop "tilte"', '"title": "x"'],
  ['/show/and/0/===/0/var', 'data.info.a', 'there is no "inf" in "data"', '"show": "data.info.a = \'data\' and'],
  ['/show', 'data.info.a', 'there is no "inf" in "data"', '"show": "data.info.a = \'data\' and'],
  ['/show/and/0/===/1', 'date', '"data" is not one of date', '"show": "data.inf.a = \'date\' and'],
] as const)('%s becomes %s', ([pointer, suggestion, message, wanted]) => {
  const after = applySuggestion(text, { pointer, suggestion, message })
  expect(after).toContain(wanted)
  expect(after?.split('\n').length).toBe(text.split('\n').length)
})

test.for([
  ['/gone', 'x', 'anything'],
  ['/props', 'something else entirely', 'anything'],
  ['/widget', '"when": "session.logged_in"', 'props is asked of visitors, who get no answer'],
  ['/show', 'data.info.a', 'anything'],
  ['/widget', 'widget', '"widget" and "buton"'],
] as const)('%s is left alone when the intended name is not clear', ([pointer, suggestion, message]) => {
  expect(applySuggestion(text, { pointer, suggestion, message })).toBeUndefined()
})
test('a text that is not JSON is left alone', () => {
  expect(applySuggestion('{', { pointer: '', suggestion: 'x', message: '' })).toBeUndefined()
})
