import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createStream, type PagePlace } from '#config-server/console/stream.ts'
import type { Session } from '#config-server/operators/account.ts'
import type { Present } from '#language/publish/publishing.ts'

const heartbeatMs = 15_000
const home = 'schemas/screens/home.json'
const market = 'schemas/screens/market.json'

class Client extends EventEmitter {
  text = ''
  writableLength = 0
  writableEnded = false
  destroyed = false
  writeHead() {}
  write(text: string) {
    this.text += text
  }
  isStuck = false
  end() {
    this.writableEnded = true
    if (!this.isStuck) this.emit('close')
  }
  destroy() {
    this.destroyed = true
    this.emit('close')
  }
  /** Every message `presence` so far, as `name: files`. */
  get messages() {
    return [...this.text.matchAll(/event: presence\ndata: (.*)\n\n/g)].map(([, data]) =>
      (JSON.parse(data!) as { others: Present[] }).others.map(({ name, paths }) => `${name}: ${paths.join()}`).join('; '),
    )
  }
  get renewals() {
    return this.text.split('event: renew\n').length - 1
  }
}

const ids = ['ann', 'bob', 'cid']
let stream: ReturnType<typeof createStream>
let dead: string[]
const open = (name: string, at: PagePlace = {}, session = name) => {
  const client = new Client()
  const who = { id: session, operator: { id: ids.indexOf(name), name } } as unknown as Session
  stream.open(who, at, { method: 'GET' } as IncomingMessage, client as unknown as ServerResponse)
  return client
}
const pass = (ms = 300) => vi.advanceTimersByTimeAsync(ms)

beforeEach(() => {
  vi.useFakeTimers()
  dead = []
  stream = createStream(async (session) => !dead.includes(session))
})
afterEach(() => {
  stream.close()
  vi.useRealTimers()
})

test('whoever has a draft open hears who joins it, goes to another file, and leaves', async () => {
  const ann = open('ann', { draft: 1 })
  const bob = open('bob', { draft: 1, path: home })
  expect([ann.messages, bob.messages]).toEqual([[''], ['ann: ']])
  await pass()
  expect(ann.messages).toEqual(['', `bob: ${home}`])
  // The page opens its next stream before it closes this one.
  const moved = open('bob', { draft: 1, path: market })
  bob.end()
  await pass()
  expect(ann.messages).toEqual(['', `bob: ${home}`, `bob: ${market}`])
  moved.destroy()
  await pass()
  expect(ann.messages.slice(3)).toEqual([''])
})

test('a person with two tabs is shown once, with both files, and stays until the second is closed', async () => {
  const ann = open('ann', { draft: 1 })
  const [one, two] = [open('bob', { draft: 1, path: market }), open('bob', { draft: 1, path: home }, 'another session')]
  await pass()
  expect(ann.messages).toEqual(['', `bob: ${home},${market}`])
  one.end()
  await pass()
  expect(ann.messages.at(-1)).toBe(`bob: ${home}`)
  two.end()
  await pass()
  expect(ann.messages.at(-1)).toBe('')
})

test('nobody sees himself, and nobody hears of a draft that is not open', async () => {
  const [ann, again] = [open('ann', { draft: 1 }), open('ann', { draft: 1, path: home })]
  const [elsewhere, nowhere] = [open('bob', { draft: 2 }), open('cid')]
  await pass()
  expect([ann.messages, again.messages, elsewhere.messages]).toEqual([[''], [''], ['']])
  expect(nowhere.text).toBe('retry: 3000\n\n')
})

test('a page that does not open its stream anew is gone by the second heartbeat', async () => {
  let ann = open('ann', { draft: 1 })
  const [bob, reader] = [open('bob', { draft: 1 }), open('cid')]
  // The packets of its end are never acknowledged.
  bob.isStuck = true
  await pass(heartbeatMs)
  expect([ann.renewals, bob.renewals, reader.renewals]).toEqual([1, 1, 0])
  const renewed = open('ann', { draft: 1 })
  ann.end()
  ann = renewed
  await pass()
  expect([ann.messages, bob.messages]).toEqual([['bob: '], ['ann: ']])
  await pass(heartbeatMs)
  expect([bob.writableEnded, ann.writableEnded, reader.writableEnded]).toEqual([true, false, false])
  expect([ann.messages, stream.clients()]).toEqual([['bob: ', ''], 3])
})

test('an operator who is frozen leaves', async () => {
  const ann = open('ann', { draft: 1 })
  open('bob', { draft: 1 })
  await pass()
  dead = ['bob']
  stream.tell({ about: 'operators', id: 1 })
  await pass()
  expect(ann.messages).toEqual(['', 'bob: ', ''])
})

test('nobody is told when all streams end', async () => {
  const [ann] = [open('ann', { draft: 1 }), open('bob', { draft: 1 })]
  await pass()
  const before = ann.text
  stream.close()
  await pass()
  expect([ann.text, vi.getTimerCount()]).toEqual([before, 0])
})
