import mitt from 'mitt'
import { expect, test } from 'vitest'
import type { Manifest } from '#language/publish/release.ts'
import { createSafeMode } from '#renderer/config/safe-mode.ts'
import { createRegistry } from '#renderer/core/registry.ts'
import type { EngineEvents } from '#renderer/engine/types.ts'

const home = { sha256: 'new', uses: [], areas: [] }
const manifest = { release: 2, hash: 'h2', locale: 'en', documents: { 'screen/home': home }, texts: {}, inline: {} } as unknown as Manifest
const pinned = {
  'tessera.pins': JSON.stringify({
    strikes: [['new', 2]],
    pins: [['screen/home', { broken: ['new'], good: { sha256: 'old', uses: [], areas: [] } }]],
  }),
}
function storageOf(items: Record<string, string>): Storage {
  const kept = new Map(Object.entries(items))
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  } as unknown as Storage
}
const started = (built: boolean, items: Record<string, string>) =>
  createSafeMode({ storage: storageOf(items), registry: createRegistry([]), bus: mitt<EngineEvents>(), caps: '', built })

test('the built app shows what worked in place of a document that broke twice', async () => {
  expect((await started(true, pinned)).amend(manifest).documents['screen/home']?.sha256).toBe('old')
})
test('while developing the newest document is shown, whatever broke before', async () => {
  const safeMode = await started(false, pinned)
  expect(safeMode.amend(manifest)).toBe(manifest)
  expect(safeMode.refuse({ current: () => manifest } as never)).toBe(false)
})
