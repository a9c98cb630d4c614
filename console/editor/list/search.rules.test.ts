import { describe, expect, test } from 'vitest'
import { entryOf } from '#console/editor/list/entries.rules.ts'
import { search } from '#console/editor/list/search.rules.ts'

const words = { 'home.title': 'Home', 'set.security': 'Security', 'set.key': 'Login key', 'set.cafe': 'Café' }
const screen = (id: string, title: string, more: object[] = []) => ({
  kind: 'screen',
  id,
  data: { info: { call: 'user.info' } },
  body: [{ id: 'bar', widget: 'nav-bar', props: { title: { $t: title } } }, ...more],
})
const entries = [
  entryOf('schemas/screens/home.json', screen('home.home', 'home.title'), words, { 'home.home': ['/'] }),
  entryOf(
    'schemas/screens/security.json',
    screen('setting.security', 'set.security', [{ id: 'key', widget: 'row', props: { title: { $t: 'set.key' } } }]),
    words,
    {
      'setting.security': ['pages/setting/security'],
    },
  ),
  entryOf('schemas/prompts/cafe.json', { kind: 'prompt', id: 'home-cafe', title: { $t: 'set.cafe' } }, words, {}),
]

describe('search over documents', () => {
  test.for([
    ['', ['home.home', 'setting.security', 'home-cafe']],
    ['security', ['setting.security']],
    ['login key', ['setting.security']],
    ['LOGIN', ['setting.security']],
    ['pages/setting', ['setting.security']],
    ['user.info', ['home.home', 'setting.security']],
    ['nav-bar home', ['home.home']],
    ['set.key', ['setting.security']],
    ['cafe', ['home-cafe']],
    ['home', ['home.home', 'home-cafe']],
    ['nothing here', []],
    ['security cafe', []],
  ] as const)('%s', ([text, ids]) => {
    expect(search(entries, text).map(({ entry }) => entry.id)).toEqual(ids)
  })

  test('says where it was found', () => {
    expect(search(entries, 'login')[0]).toMatchObject({ in: 'word', found: 'Login key' })
    expect(search(entries, 'secur')[0]).toMatchObject({ in: 'title', found: 'Security' })
  })
})
