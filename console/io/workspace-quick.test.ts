import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Client, ConsoleError } from '#console/io/client.ts'
import { createUnsavedStore } from '#console/io/unsaved.ts'
import { openWorkspace } from '#console/io/workspace.ts'
import { merge } from '#language/edit/merge.ts'
import type { Draft, DraftFile, FileSet } from '#language/publish/publishing.ts'

/** One operator edits quickly while answers are slow, arrive out of order or get lost. */

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function seeded(seed: number) {
  let state = seed * 2_654_435_761 + 1
  return (below: number) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0
    return ((state ^ (state >>> 13)) >>> 0) % below
  }
}
const wait = (ms: number) => new Promise<void>((done) => setTimeout(done, ms))

const cards = 'schemas/quick-entries/home.json'
const words = (language: string) => `locales/${language}/home.json`
const printed = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`
const edits = 20
const base: Record<string, string> = {
  [cards]: printed({ entries: Array.from({ length: edits }, (_, id) => ({ id })) }),
  [words('en')]: printed({ title: '' }),
  [words('ja')]: printed({ title: '' }),
}

/** @param lossy of ten saves, how many lose their answer after the server has carried them out */
function stage(seed: number, slowMs: number, lossy = 0) {
  const chance = seeded(seed)
  let changed: Record<string, DraftFile> = {}
  let version = 0
  let losses = true
  const listeners: (() => void)[] = []
  const textOf = (path: string) => (changed[path] ? changed[path].text : (base[path] ?? null))
  const travel = async <T>(answer: () => T): Promise<T> => {
    await wait(chance(slowMs))
    const done = answer()
    await wait(chance(slowMs))
    return done
  }
  const client = {
    files: (of: { draft?: number }) =>
      travel((): FileSet => {
        const files = { ...base }
        if (of.draft !== undefined) for (const { path, text } of Object.values(changed)) files[path] = text ?? ''
        return { release: 1, files, changed: of.draft === undefined ? {} : changed }
      }),
    draft: () => travel(() => ({ id: 5, state: 'open', approval: null }) as unknown as Draft),
    catalog: () =>
      travel(() => ({
        catalog: { widgets: [], functions: [], topics: [], calls: [], icons: [], symbols: [] },
        builds: [],
        canRunFlows: false,
      })),
    saveFile: async (_id: number, { path, text, version: from }: { path: string; text: string | null; version: number }) => {
      const file = await travel(() => {
        const now = (): DraftFile => changed[path] ?? { path, text: base[path] ?? null, version: 0, baseSha: null, by: '', at: 0 }
        if (textOf(path) === text) return now()
        if (now().version !== from) throw new ConsoleError('save_conflict', 409, '', { theirs: now() })
        const { [path]: _, ...others } = changed
        version += 1
        changed = text === base[path] ? others : { ...others, [path]: { path, text, version, baseSha: null, by: 'ann', at: 1 } }
        for (const tell of listeners) setTimeout(tell, chance(500))
        return now()
      })
      if (losses && chance(10) < lossy) throw new ConsoleError('offline', 0, '')
      return file
    },
  } as unknown as Client
  const workspace = openWorkspace({
    client,
    of: { draft: 5 },
    mayEdit: true,
    unsaved: createUnsavedStore({ getItem: () => null, setItem: () => undefined, removeItem: () => undefined }, 'ann'),
    mergeTexts: async (path, before, mine, theirs) => {
      const { files, conflicts } = merge({ [path]: before }, { [path]: mine }, { [path]: theirs })
      return conflicts.length > 0 ? null : (files[path] ?? null)
    },
    startChecks: () => ({ begin: () => undefined, change: () => undefined, end: () => undefined }),
  })
  listeners.push(() => void workspace.view().refresh())
  const wrong = new Set<string>()
  workspace.subscribe(() => {
    const { status, save, files, conflicts, joined } = workspace.view()
    if (status !== 'ready') return
    if (conflicts.length > 0 || joined) wrong.add('a conflict with oneself')
    if (save.state === 'saved' && Object.keys(base).some((path) => files[path] !== textOf(path))) wrong.add('"Saved" of what is not')
  })
  return { view: () => workspace.view(), textOf, wrong, calm: () => void (losses = false) }
}
type Stage = ReturnType<typeof stage>

interface Edited {
  entries: { id: number; show?: boolean }[]
  title: string
}
const read = (text: string | null | undefined) => JSON.parse(text ?? '') as Edited
const change = (it: Stage, path: string, work: (value: Edited) => void) => {
  const value = read(it.view().files[path])
  work(value)
  it.view().edit(path, printed(value))
}
const hidden = (text: string | null) => read(text).entries.map(({ show }) => show === false)
const order = (text: string | null) => read(text).entries.map(({ id }) => id)
const title = (text: string | null) => read(text).title

const kinds: Record<
  string,
  { edit: (it: Stage, n: number) => void; result: (text: (path: string) => string | null) => unknown; stands: unknown }
> = {
  'cards hidden': {
    edit: (it, n) => change(it, cards, (doc) => void (doc.entries[n]!.show = false)),
    result: (text) => hidden(text(cards)),
    stands: Array.from({ length: edits }, () => true),
  },
  'one card moved down': {
    edit: (it, n) => change(it, cards, (doc) => n < edits - 1 && doc.entries.splice(n + 1, 0, ...doc.entries.splice(n, 1))),
    result: (text) => order(text(cards)),
    stands: [...Array.from({ length: edits - 1 }, (_, id) => id + 1), 0],
  },
  'keys typed': {
    edit: (it, n) => change(it, words('en'), (doc) => void (doc.title += String.fromCharCode(97 + n))),
    result: (text) => title(text(words('en'))),
    stands: 'abcdefghijklmnopqrst',
  },
  'three files in turn': {
    edit: (it, n) => {
      if (n % 3 === 0) change(it, cards, (doc) => void (doc.entries[n]!.show = false))
      else change(it, words(n % 3 === 1 ? 'en' : 'ja'), (doc) => void (doc.title += n))
    },
    result: (text) => [hidden(text(cards)), title(text(words('en'))), title(text(words('ja')))],
    stands: [Array.from({ length: edits }, (_, n) => n % 3 === 0), '14710131619', '258111417'],
  },
  'a change and its undo': {
    edit: (it, n) => (n % 2 === 0 ? change(it, cards, (doc) => void (doc.entries[n]!.show = false)) : it.view().undo()),
    result: (text) => text(cards),
    stands: base[cards],
  },
}
const seeds = Array.from({ length: 12 }, (_, seed) => seed + 1)
const cases = Object.keys(kinds).flatMap((kind) => [
  ...seeds.map((seed) => ({ kind, seed, slowMs: 40 * seed, lossy: 0 })),
  ...seeds.map((seed) => ({ kind, seed, slowMs: 20 * seed, lossy: 4 })),
])

test.each(cases)('$kind, seed $seed, answers within $slowMs ms twice, $lossy of 10 lost', async ({ kind, seed, slowMs, lossy }) => {
  const it = stage(seed, slowMs, lossy)
  await vi.advanceTimersByTimeAsync(5_000)
  const { edit, result, stands } = kinds[kind]!
  for (let n = 0; n < edits; n += 1) {
    edit(it, n)
    await vi.advanceTimersByTimeAsync(100)
  }
  it.calm()
  await vi.advanceTimersByTimeAsync(120_000)
  expect(result((path) => it.view().files[path] ?? null)).toEqual(stands)
  expect(result(it.textOf)).toEqual(stands)
  expect([[...it.wrong], it.view().save.state]).toEqual([[], 'saved'])
})
