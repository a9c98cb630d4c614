import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { CheckerAnswer } from '#console/io/checker.worker.ts'
import { type Client, ConsoleError } from '#console/io/client.ts'
import { createUnsavedStore } from '#console/io/unsaved.ts'
import { openWorkspace } from '#console/io/workspace.ts'
import { merge } from '#language/edit/merge.ts'
import type { Draft, DraftFile, FileSet } from '#language/publish/publishing.ts'
import type { SourceDocument } from '#language/types/catalog.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function memory() {
  const kept = new Map<string, string>()
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
}
const defaultBase: Record<string, string> = { 'schemas/a.json': 'a', 'schemas/b.json': 'b' }

/** A server with one draft on release 1, and a page that opens it. */
function stage({
  storage = memory(),
  owner = 'ann',
  mayEdit = true,
  state = 'open' as Draft['state'],
  saved = {} as Record<string, string>,
  down = false,
  base = defaultBase,
} = {}) {
  const changed: Record<string, DraftFile> = {}
  const did: string[] = []
  const server = {
    down,
    changed,
    put(path: string, text: string | null, by = 'bob') {
      changed[path] = { path, text, version: (changed[path]?.version ?? 0) + 1, baseSha: null, by, at: 1 }
      return changed[path]!
    },
  }
  const up = async <T>(answer: () => T): Promise<T> => {
    if (server.down) throw new ConsoleError('offline', 0, '')
    return answer()
  }
  for (const [path, text] of Object.entries(saved)) server.put(path, text)
  const client = {
    files: (of: { draft?: number; release?: number }) =>
      up((): FileSet => {
        const files: Record<string, string> = { ...base }
        if (of.draft !== undefined)
          for (const { path, text } of Object.values(changed)) {
            if (text === null) delete files[path]
            else files[path] = text
          }
        return { release: 1, files, changed: of.draft === undefined ? {} : { ...changed } }
      }),
    draft: () => up(() => ({ id: 5, state, stale: false, approval: null, paths: Object.keys(changed) }) as unknown as Draft),
    catalog: () =>
      up(() => ({
        catalog: { widgets: [], functions: [], topics: [], calls: [], icons: [], symbols: [] },
        builds: [],
        canRunFlows: false,
      })),
    saveFile: (_id: number, { path, text, version }: { path: string; text: string | null; version: number }) =>
      up(() => {
        did.push(`save ${path} ${text} ${version}`)
        const theirs = changed[path]
        if ((theirs?.version ?? 0) !== version) throw new ConsoleError('save_conflict', 409, '', { theirs })
        if (text === base[path]) {
          delete changed[path]
          return { path, text, version: 0, baseSha: null, by: '', at: 0 }
        }
        return server.put(path, text, owner)
      }),
  } as unknown as Client
  const checks: string[] = []
  let answer: (answer: CheckerAnswer) => void = () => undefined
  const workspace = openWorkspace({
    client,
    of: { draft: 5 },
    mayEdit,
    unsaved: createUnsavedStore(storage, owner),
    mergeTexts: async (path, before, mine, theirs) => {
      const { files, conflicts } = merge({ [path]: before }, { [path]: mine }, { [path]: theirs })
      return conflicts.length > 0 ? null : (files[path] ?? null)
    },
    startChecks: (tell) => {
      answer = tell
      return {
        begin: (_catalog, texts) => void checks.push(`begin ${Object.keys(texts).length}`),
        change: (texts) => void checks.push(`change ${Object.entries(texts).flat().join(' ')}`),
        end: () => void checks.push('end'),
      }
    },
  })
  return { server, did, checks, workspace, storage, view: () => workspace.view(), answer: (one: CheckerAnswer) => answer(one) }
}
const settle = () => vi.advanceTimersByTimeAsync(400)

test('shows the base with the changes of the draft, and tells which files differ', async () => {
  const it = stage({ saved: { 'schemas/b.json': 'B', 'schemas/c.json': 'C' } })
  expect(it.view().status).toBe('loading')
  await settle()
  expect(it.view()).toMatchObject({
    status: 'ready',
    base: defaultBase,
    files: { 'schemas/a.json': 'a', 'schemas/b.json': 'B', 'schemas/c.json': 'C' },
  })
  expect(it.view().changed).toEqual(['schemas/b.json', 'schemas/c.json'])
  expect(it.checks).toEqual(['begin 3'])
})

test('an edit is shown at once, checked, saved, and can be taken back', async () => {
  const it = stage()
  await settle()
  it.view().edit('schemas/a.json', 'A')
  expect(it.view()).toMatchObject({ files: { 'schemas/a.json': 'A' }, changed: ['schemas/a.json'], canUndo: true, checking: true })
  await settle()
  expect([it.did, it.view().save.state]).toEqual([['save schemas/a.json A 0'], 'saved'])
  it.view().undo()
  await settle()
  expect([it.did.at(-1), it.view().changed, it.view().canRedo]).toEqual(['save schemas/a.json a 1', [], true])
  expect(it.server.changed).toEqual({})
  expect(it.checks).toEqual(['begin 2', 'change schemas/a.json A', 'change schemas/a.json a'])
})

test.each([
  ['one who only reads', { mayEdit: false }],
  ['a draft that is published', { state: 'published' as const }],
])('%s cannot be edited', async (_what, options) => {
  const it = stage(options)
  await settle()
  it.view().edit('schemas/a.json', 'A')
  it.view().drop('schemas/b.json')
  await settle()
  expect([it.view().editable, it.view().changed, it.did]).toEqual([false, [], []])
})

test('what the server did not get survives the tab, and goes out from the next one', async () => {
  const storage = memory()
  const first = stage({ storage })
  await settle()
  first.server.down = true
  first.view().edit('schemas/a.json', 'A')
  await settle()
  expect(first.view().save.state).toBe('offline')
  first.workspace.end()
  const second = stage({ storage })
  await settle()
  expect([second.view().files['schemas/a.json'], second.did]).toEqual(['A', ['save schemas/a.json A 0']])
  expect(storage.kept.size).toBe(0)
})

test('what an earlier tab left goes out, too, when the first read failed', async () => {
  const storage = memory()
  const first = stage({ storage })
  await settle()
  first.server.down = true
  first.view().edit('schemas/a.json', 'A')
  await settle()
  first.workspace.end()
  const second = stage({ storage, down: true })
  await settle()
  expect(second.view().status).toBe('failed')
  second.server.down = false
  await second.view().refresh()
  await settle()
  expect([second.view().files['schemas/a.json'], second.did]).toEqual(['A', ['save schemas/a.json A 0']])
})

test('nobody sends what another operator left in the same browser', async () => {
  const storage = memory()
  const first = stage({ storage })
  await settle()
  first.server.down = true
  first.view().edit('schemas/a.json', 'A')
  await settle()
  first.workspace.end()
  const second = stage({ storage, owner: 'eve' })
  await settle()
  expect([second.view().files['schemas/a.json'], second.did]).toEqual(['a', []])
  expect(storage.kept.size).toBe(1)
})

async function clash() {
  const it = stage()
  await settle()
  it.server.put('schemas/a.json', 'theirs')
  it.view().edit('schemas/a.json', 'mine')
  await settle()
  return it
}
test('a conflict shows both and loses neither', async () => {
  const it = await clash()
  expect(it.view()).toMatchObject({ save: { state: 'conflict' }, files: { 'schemas/a.json': 'mine' } })
  expect(it.view().conflicts).toMatchObject([{ path: 'schemas/a.json', mine: 'mine', theirs: { text: 'theirs', by: 'bob' }, base: 'a' }])
  expect(it.server.changed['schemas/a.json']?.text).toBe('theirs')
})
test('mine is saved over the version that was shown', async () => {
  const it = await clash()
  it.view().resolve('schemas/a.json', 'mine')
  await settle()
  expect([it.view().conflicts, it.view().save.state, it.server.changed['schemas/a.json']?.text]).toEqual([[], 'saved', 'mine'])
})
test('theirs is taken, and undo brings mine back', async () => {
  const it = await clash()
  it.view().resolve('schemas/a.json', 'theirs')
  expect(it.view().files['schemas/a.json']).toBe('theirs')
  it.view().undo()
  await settle()
  expect([it.view().files['schemas/a.json'], it.server.changed['schemas/a.json']?.text]).toEqual(['mine', 'mine'])
})

test("another's save comes in without touching what is typed here", async () => {
  const it = stage()
  await settle()
  it.server.down = true
  it.view().edit('schemas/a.json', 'mine')
  await settle()
  it.server.down = false
  it.server.put('schemas/b.json', 'theirs')
  await it.view().refresh()
  expect(it.view().files).toEqual({ 'schemas/a.json': 'mine', 'schemas/b.json': 'theirs' })
  expect(it.checks.at(-1)).toBe('change schemas/b.json theirs')
})

test('a read that fails later keeps what is shown', async () => {
  const it = stage()
  await settle()
  it.server.down = true
  await it.view().refresh()
  expect(it.view()).toMatchObject({ status: 'ready', error: { code: 'offline' }, files: defaultBase })
})

const words = 'locales/en/home.json'
const written = (values: object) => `${JSON.stringify(values, null, 2)}\n`
test('what two operators wrote in different parts of a file comes together by itself', async () => {
  const it = stage({ saved: { [words]: written({ hot: 'Hot', news: 'News' }) } })
  await settle()
  it.server.put(words, written({ hot: 'Hot!', news: 'News' }))
  it.view().edit(words, written({ hot: 'Hot', news: 'News?' }))
  await settle()
  await settle()
  expect(JSON.parse(it.server.changed[words]?.text ?? '')).toEqual({ hot: 'Hot!', news: 'News?' })
  expect(it.view()).toMatchObject({ conflicts: [], joined: { path: words, by: 'bob' }, save: { state: 'saved' } })
  expect(it.view().files[words]).toBe(it.server.changed[words]?.text)
})
test('what both wrote in the same part is theirs to decide, also after the page has heard of the other save', async () => {
  const it = stage({ saved: { [words]: written({ hot: 'Hot' }) } })
  await settle()
  it.view().edit(words, written({ hot: 'mine' }))
  it.server.put(words, written({ hot: 'theirs' }))
  await it.view().refresh()
  it.view().edit(words, written({ hot: 'mine!' }))
  await settle()
  expect(it.view()).toMatchObject({ conflicts: [{ path: words }], joined: null })
  expect(it.server.changed[words]?.text).toBe(written({ hot: 'theirs' }))
})

test('an address that another screen takes is a problem beside those of the checks', async () => {
  const routes = (screen: string) => JSON.stringify({ kind: 'routes', routes: { 'pages/a': { screen } } })
  const it = stage({ base: { 'schemas/routes.json': routes('a'), 'schemas/screens/a.json': '{"id":"a"}' } })
  await settle()
  it.view().editAll({ 'schemas/routes.json': routes('b'), 'schemas/screens/b.json': '{"id":"b"}' })
  it.answer({ ticket: 1, kind: 'problems', problems: [], ms: 1 })
  expect(it.view().problems).toMatchObject([{ check: 'taken-routes', severity: 'error', pointer: '/routes/pages~1a/screen' }])
  it.view().undo()
  it.answer({ ticket: 2, kind: 'problems', problems: [], ms: 1 })
  expect(it.view().problems).toEqual([])
})

test('documents are kept by file as they were read, and a part of the checks that fails says why until it answers again', async () => {
  const it = stage()
  await settle()
  const source = (file: string) => ({ file, text: '', key: 'theme/theme', doc: {} }) as unknown as SourceDocument
  const prepared = (sources: Record<string, SourceDocument | null>) =>
    it.answer({ ticket: 1, kind: 'prepared', change: { documents: [], removed: [], words: {}, unread: [], sources }, ms: 1 })
  expect([it.view().sources, it.view().broken]).toEqual([null, {}])
  it.answer({ ticket: 1, kind: 'broken', part: 'prepared', message: 'no memory' })
  expect([it.view().sources, it.view().broken]).toEqual([null, { prepared: 'no memory' }])
  prepared({ 'schemas/b.json': source('schemas/b.json'), 'schemas/a.json': source('schemas/a.json') })
  const [a, b] = it.view().sources!
  expect([a?.file, b?.file, it.view().broken]).toEqual(['schemas/a.json', 'schemas/b.json', {}])
  prepared({ 'schemas/a.json': null, 'schemas/c.json': source('schemas/c.json') })
  expect(it.view().sources?.map(({ file }) => file)).toEqual(['schemas/b.json', 'schemas/c.json'])
  expect(it.view().sources?.[0]).toBe(b)
  it.answer({ ticket: 1, kind: 'broken', part: 'problems', message: 'ended' })
  prepared({})
  expect([it.view().sources?.[0], it.view().broken]).toEqual([b, { problems: 'ended' }])
})
