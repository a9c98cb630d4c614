import { afterEach, describe, expect, test, vi } from 'vitest'
import { limits } from '#language/documents/limits.ts'
import { fileName, save, saveAnswer } from '#renderer/actions/perform-save.ts'
import type { ActionPlace } from '#renderer/actions/place.ts'

test.each([
  ['log 2026-11.csv', 'log 2026-11.csv'],
  ['../../etc/passwd', '-..-etc-passwd'],
  ['C:\\a|b?.txt', 'C--a-b-.txt'],
  ['  .hidden. ', 'hidden'],
  ['a\u0000b\u202Egpj.exe', 'abgpj.exe'],
  ['資産.csv', '資産.csv'],
  ['e\u0301.csv', '\u00E9.csv'],
  ['', ''],
  ['...', ''],
  [`${'x'.repeat(300)}.csv`, `${'x'.repeat(116)}.csv`],
  [`${'x'.repeat(115)}😀😀.csv`, `${'x'.repeat(115)}.csv`],
])('%j is kept as %j', (wanted, kept) => {
  expect(fileName(wanted)).toBe(kept)
  expect(kept.length).toBeLessThanOrEqual(limits.savedNameMax)
})

describe('saving', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  })
  function stage() {
    const clicked: { name: string; href: string }[] = []
    const bodies: Blob[] = []
    const toasts: string[] = []
    vi.stubGlobal('document', {
      createElement: () => {
        const link = { href: '', download: '', click: () => clicked.push({ name: link.download, href: link.href }) }
        return link
      },
    })
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      bodies.push(blob as Blob)
      return 'blob:x'
    })
    const engine = { ui: { toast: (text: string) => toasts.push(text) }, say: (key: string) => key }
    return { clicked, bodies, toasts, place: { engine } as unknown as ActionPlace }
  }

  test.each([
    ['text/csv', 'a,b', '\uFEFFa,b'],
    ['text/csv', '\uFEFFa,b', '\uFEFFa,b'],
    ['application/json', '{}', '{}'],
    ['text/plain', 'Grüße', 'Grüße'],
  ] as const)('%s %j is written as %j', async (type, text, written) => {
    const { place, clicked, bodies, toasts } = stage()
    expect(save({ do: 'save', name: 'f.x', text, type }, place)).toBe('done')
    expect(clicked).toEqual([{ name: 'f.x', href: 'blob:x' }])
    expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode(await bodies[0]!.arrayBuffer())).toBe(written)
    expect(bodies[0]!.type).toBe(`${type};charset=utf-8`)
    expect(toasts).toEqual([])
  })

  test.each([
    ['no name', ' . ', 'x'],
    ['nothing to write', 'f.txt', ''],
    ['too much', 'f.txt', 'x'.repeat(limits.savedTextMax + 1)],
  ])('%s: said, and nothing is saved', (_what, name, text) => {
    const { place, clicked, toasts } = stage()
    expect(save({ do: 'save', name, text, type: 'text/plain' }, place)).toBe('failed')
    expect(clicked).toEqual([])
    expect(toasts).toEqual(['engine.save_failed'])
  })

  test.each([
    ['rows', { rows: 3, cut: false }, ['log.csv'], 'engine.export_done 3'],
    ['more rows than the file has', { rows: 5000, cut: true }, ['log.csv'], 'engine.export_cut 5000'],
    ['no row', { rows: 0, cut: false }, [], 'engine.export_none'],
  ])('a file of an answer with %s', (_what, counts, files, toast) => {
    const { place, clicked, toasts } = stage()
    Object.assign(place.engine, { say: (key: string, args?: { count: number }) => (args ? `${key} ${args.count}` : key) })
    expect(saveAnswer({ name: 'log.csv', text: 'a,b', ...counts }, place)).toBe('done')
    expect(clicked.map(({ name }) => name)).toEqual(files)
    expect(toasts).toEqual([toast])
  })
})
