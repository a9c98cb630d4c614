import mitt from 'mitt'
import { expect, test } from 'vitest'
import { CallProblem } from '#renderer/calls/api.ts'
import { loadAreas, loadScreen } from '#renderer/config/screens.ts'
import type { Engine, EngineEvents } from '#renderer/engine/types.ts'

test.each([
  ['answer_unreadable', ['screen/home']],
  ['network_failed', []],
  ['timed_out', []],
] as const)('a screen that cannot be loaded, %s: the document itself is at fault %j', async (name, lost) => {
  const bus = mitt<EngineEvents>()
  const reported: string[] = []
  bus.on('document-lost', ({ document }) => reported.push(document))
  const manifest = { documents: { 'screen/home': { sha256: 'a', uses: [], areas: [] } }, texts: {} }
  const config = { current: () => manifest, fetchDocument: () => Promise.reject(new CallProblem(0, name)) }
  const i18n = { language: () => 'en', hasArea: () => true }
  await expect(loadScreen({ bus, config, i18n } as unknown as Engine, 'home')).rejects.toMatchObject({ name })
  expect(reported).toEqual(lost)
})

test('what a release that comes while a screen loads needs more is loaded too', async () => {
  const entry = (areas: string[]) => ({ hash: areas.join(), documents: { 'screen/home': { uses: [], areas } }, texts: { a: '1', b: '2' } })
  let manifest = entry(['a'])
  const loaded = new Set<string>()
  const config = {
    current: () => manifest,
    document: () => ({ root: {} }),
    fetchDocument: async () => ({ root: {} }),
    async fetchTexts(area: string) {
      manifest = entry(['a', 'b'])
      return { area }
    },
  }
  const i18n = {
    language: () => 'en',
    hasArea: (_: string, area: string) => loaded.has(area),
    addArea: (_: string, area: string) => void loaded.add(area),
  }
  await loadScreen({ config, i18n } as unknown as Engine, 'home')
  expect([...loaded]).toEqual(['a', 'b'])
})

test.each([
  ['of the language that was chosen meanwhile', 'de', ['de wallet']],
  ['of the shown language', 'en', ['en wallet']],
])('words of an area are kept as those %s', async (_name, locale, kept) => {
  let shown = 'en'
  const added: string[] = []
  const config = {
    current: () => ({ locale: shown }),
    async fetchTexts() {
      shown = locale
      return {}
    },
  }
  const i18n = {
    language: () => 'en',
    hasArea: () => false,
    addArea: (language: string, area: string) => void added.push(`${language} ${area}`),
  }
  await loadAreas({ config, i18n } as unknown as Engine, ['wallet'])
  expect(added).toEqual(kept)
})
