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
  const told: string[] = []
  bus.on('document-lost', ({ document }) => told.push(document))
  const manifest = { documents: { 'screen/home': { sha256: 'a', uses: [], areas: [] } }, texts: {} }
  const config = { current: () => manifest, fetchDocument: () => Promise.reject(new CallProblem(0, name)) }
  const i18n = { language: () => 'en', hasArea: () => true }
  await expect(loadScreen({ bus, config, i18n } as unknown as Engine, 'home')).rejects.toMatchObject({ name })
  expect(told).toEqual(lost)
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
