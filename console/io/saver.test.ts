import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ConsoleError } from '#console/io/client.ts'
import { createSaver } from '#console/io/saver.ts'
import type { Unsaved } from '#console/io/unsaved.ts'
import type { DraftFile } from '#language/publish/publishing.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const file = (path: string, text: string | null, version: number, by = 'ann'): DraftFile => ({
  path,
  text,
  version,
  baseSha: null,
  by,
  at: 0,
})
function stage(send: (path: string, edit: Unsaved) => Promise<DraftFile>) {
  const sent: string[] = []
  const saved: string[] = []
  const conflicts: string[] = []
  const saver = createSaver({
    send: (path, edit) => {
      sent.push(`${path} ${edit.text} ${edit.version}`)
      return send(path, edit)
    },
    onSaved: (path, done) => void saved.push(`${path} ${done.version}`),
    onConflict: (path, mine, theirs) => void conflicts.push(`${path} ${mine} ${theirs.text}`),
    onChange: () => undefined,
  })
  return { saver, sent, saved, conflicts }
}
const good = async (path: string, { text, version }: Unsaved) => file(path, text, version + 1)

test('waits until one has stopped typing, then sends the newest text once', async () => {
  const { saver, sent, saved } = stage(good)
  saver.put('a', { text: '1', version: 0 })
  await vi.advanceTimersByTimeAsync(200)
  saver.put('a', { text: '2', version: 0 })
  await vi.advanceTimersByTimeAsync(299)
  expect([sent, saver.state().state]).toEqual([[], 'waiting'])
  await vi.advanceTimersByTimeAsync(1)
  expect([sent, saved, saver.state().state, saver.waiting().size]).toEqual([['a 2 0'], ['a 1'], 'saved', 0])
})

test('what is typed while it is sent goes out afterwards, from the new version', async () => {
  let answer: (done: DraftFile) => void = () => undefined
  const { saver, sent } = stage((path, { text, version }) =>
    sent.length > 1 ? Promise.resolve(file(path, text, version + 1)) : new Promise((done) => (answer = done)),
  )
  saver.put('a', { text: '1', version: 3 })
  await vi.advanceTimersByTimeAsync(300)
  saver.put('a', { text: '2', version: 3 })
  answer(file('a', '1', 4))
  await vi.advanceTimersByTimeAsync(300)
  expect(sent).toEqual(['a 1 3', 'a 2 4'])
  expect(saver.state().state).toBe('saved')
})

test('keeps the edits while the server cannot be reached, and tries again', async () => {
  let down = true
  const { saver, sent } = stage((path, edit) => (down ? Promise.reject(new ConsoleError('offline', 0, '')) : good(path, edit)))
  saver.put('a', { text: '1', version: 0 })
  await vi.advanceTimersByTimeAsync(300)
  expect(saver.state()).toMatchObject({ state: 'offline', pending: ['a'] })
  expect(await saver.flush()).toBe(false)
  down = false
  await vi.advanceTimersByTimeAsync(15_000)
  expect([saver.state().state, sent.at(-1)]).toEqual(['saved', 'a 1 0'])
})

test('a refusal keeps the text and does not hammer the server', async () => {
  const { saver, sent } = stage(() => Promise.reject(new ConsoleError('state_wrong', 409, '')))
  saver.put('a', { text: '1', version: 0 })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(saver.state()).toMatchObject({ state: 'refused', pending: ['a'] })
  expect(sent.length).toBe(1)
})

test('a file that is refused does not hold up the others, and goes out again once it is changed', async () => {
  const { saver, sent } = stage((path, edit) =>
    edit.text === 'bad' ? Promise.reject(new ConsoleError('too_large', 400, '')) : good(path, edit),
  )
  saver.put('a', { text: 'bad', version: 0 })
  saver.put('b', { text: '1', version: 0 })
  await vi.advanceTimersByTimeAsync(5_000)
  expect([sent, saver.state()]).toMatchObject([['a bad 0', 'b 1 0'], { state: 'refused', pending: ['a'], error: { code: 'too_large' } }])
  saver.put('a', { text: 'good', version: 0 })
  await vi.advanceTimersByTimeAsync(5_000)
  expect([sent.at(-1), saver.state().state]).toEqual(['a good 0', 'saved'])
})

test('a refused file is sent again when somebody asks for it, and only then', async () => {
  let full = true
  const { saver, sent } = stage((path, edit) => (full ? Promise.reject(new ConsoleError('too_large', 400, '')) : good(path, edit)))
  saver.put('a', { text: '1', version: 0 })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await saver.flush()).toBe(false)
  expect([sent, saver.state()]).toMatchObject([['a 1 0', 'a 1 0'], { state: 'refused', error: { code: 'too_large' } }])
  full = false
  expect(await saver.flush()).toBe(true)
  expect([sent.length, saver.state()]).toMatchObject([3, { state: 'saved', error: null }])
})

test.each([408, 429, 503])('after %i the file is sent again without being asked for', async (status) => {
  let down = true
  const { saver } = stage((path, edit) => (down ? Promise.reject(new ConsoleError('busy', status, '')) : good(path, edit)))
  saver.put('a', { text: '1', version: 0 })
  await vi.advanceTimersByTimeAsync(300)
  expect(saver.state().state).toBe('offline')
  down = false
  await vi.advanceTimersByTimeAsync(15_000)
  expect(saver.state().state).toBe('saved')
})

const conflict = (theirs: DraftFile) => Promise.reject(new ConsoleError('save_conflict', 409, '', { theirs }))
test('a conflict is told once and holds that file alone', async () => {
  const { saver, sent, conflicts } = stage((path, edit) => (path === 'a' ? conflict(file('a', 'x', 7, 'bob')) : good(path, edit)))
  saver.put('a', { text: '1', version: 0 })
  saver.put('b', { text: '1', version: 0 })
  await vi.advanceTimersByTimeAsync(5_000)
  saver.put('a', { text: '2', version: 0 })
  await vi.advanceTimersByTimeAsync(5_000)
  expect(sent).toEqual(['a 1 0', 'b 1 0'])
  expect(conflicts).toEqual(['a 1 x'])
  expect(saver.state()).toMatchObject({ state: 'conflict', pending: ['a'] })
  saver.forget('a')
  saver.put('a', { text: '2', version: 7 })
  expect(saver.state().state).toBe('waiting')
})

test('the same text by somebody else is no conflict', async () => {
  const { saver, saved, conflicts } = stage(() => conflict(file('a', '1', 7, 'bob')))
  saver.put('a', { text: '1', version: 0 })
  await vi.advanceTimersByTimeAsync(300)
  expect([saved, conflicts, saver.state().state]).toEqual([['a 7'], [], 'saved'])
})
