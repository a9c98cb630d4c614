import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLayerHistory, type LayerHistory } from '#renderer/engine/layers.ts'
import { createUi, type Ui } from '#renderer/engine/ui.ts'

/** A history as of a browser: it moves a task later, and then sends its event. Another site lies behind the first page. */
function browser(page: string) {
  let entries: { key: string; layer?: number }[] = [{ key: 'elsewhere' }, { key: page }]
  let at = 1
  let hears: (() => void)[] = []
  const put = (state: (typeof entries)[number]) => {
    entries = [...entries.slice(0, at + 1), state]
    at += 1
  }
  const go = (delta: number) =>
    setTimeout(() => {
      at = Math.max(0, Math.min(entries.length - 1, at + delta))
      for (const hear of hears) hear()
    })
  vi.stubGlobal('history', {
    get state() {
      return entries[at]
    },
    pushState: put,
    go,
  })
  vi.stubGlobal('addEventListener', (_: string, hear: () => void) => hears.push(hear))
  vi.stubGlobal('removeEventListener', (_: string, hear: () => void) => {
    hears = hears.filter((one) => one !== hear)
  })
  return { put, go, all: () => entries.map(({ key, layer }, i) => `${i === at ? '*' : ''}${key}${layer ?? ''}`).join(' ') }
}

let ui: Ui
let closed: string[]
let shown: ReturnType<typeof browser>
let layers: LayerHistory
let end: () => void

beforeEach(() => {
  vi.useFakeTimers()
  ui = createUi(1_500)
  closed = []
  shown = browser('a')
  layers = createLayerHistory(ui)
  end = layers.start()
})
afterEach(() => {
  end()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})
const settled = () => vi.runAllTimersAsync()
const open = (name: string) => ui.cover(() => closed.push(name))
const back = async () => {
  shown.go(-1)
  await settled()
}

test('back closes the layers of the first page one by one, the topmost first, and then leaves', async () => {
  open('sheet')
  open('prompt')
  await settled()
  expect(shown.all()).toBe('elsewhere a a1 *a2')
  await back()
  expect([closed, shown.all()]).toEqual([['prompt'], 'elsewhere a *a1 a2'])
  await back()
  expect([closed, shown.all()]).toEqual([['prompt', 'sheet'], 'elsewhere *a a1 a2'])
  await back()
  expect([closed, shown.all()]).toEqual([['prompt', 'sheet'], '*elsewhere a a1 a2'])
})

test('forward onto the entry of a layer that is gone opens nothing and leads back', async () => {
  open('sheet')
  await settled()
  await back()
  shown.go(1)
  await settled()
  expect([closed, shown.all(), ui.layers()]).toEqual([['sheet'], 'elsewhere *a a1', 0])
})

test('a layer that is closed in another way takes its entry along, so that back leaves the page', async () => {
  const gone = open('sheet')
  await settled()
  gone()
  await settled()
  expect([closed, shown.all()]).toEqual([[], 'elsewhere *a a1'])
  await back()
  expect(shown.all()).toBe('*elsewhere a a1')
})

test('a layer that takes the place of another keeps its entry', async () => {
  const gone = open('sheet')
  await settled()
  gone()
  open('next')
  await settled()
  expect(shown.all()).toBe('elsewhere a *a1')
  await back()
  expect(closed).toEqual(['next'])
})

test('two jumps at once close both layers', async () => {
  open('sheet')
  open('prompt')
  await settled()
  shown.go(-2)
  await settled()
  expect([closed, shown.all()]).toEqual([['prompt', 'sheet'], 'elsewhere *a a1 a2'])
})

test('a move out of a layer leaves no entry of it behind', async () => {
  const gone = [open('sheet'), open('prompt')]
  await settled()
  layers.leave(() => {
    shown.put({ key: 'b' })
    for (const one of gone) one()
  })
  await settled()
  layers.settle()
  await settled()
  expect([closed, shown.all()]).toEqual([[], 'elsewhere a *b'])
})

test('a move while a closed layer takes its entry along waits for it', async () => {
  const gone = open('prompt')
  await settled()
  gone()
  await vi.advanceTimersByTimeAsync(0)
  layers.leave(() => shown.put({ key: 'b' }))
  await settled()
  expect(shown.all()).toBe('elsewhere a *b')
})

test('a move without layers happens at once', () => {
  layers.leave(() => shown.put({ key: 'b' }))
  expect(shown.all()).toBe('elsewhere a *b')
})

test('what stays over the next page has its entry there', async () => {
  open('alert')
  await settled()
  layers.leave(() => shown.put({ key: 'b' }))
  await settled()
  layers.settle()
  expect(shown.all()).toBe('elsewhere a b *b1')
  await back()
  expect([closed, shown.all()]).toEqual([['alert'], 'elsewhere a *b b1'])
})

test('the entry of a layer that a reload or an address has left is skipped', async () => {
  open('sheet')
  await settled()
  shown.put({ key: 'typed' })
  ui.uncover()
  await settled()
  layers.settle()
  expect(shown.all()).toBe('elsewhere a a1 *typed')
  await back()
  layers.settle()
  await settled()
  expect(shown.all()).toBe('elsewhere *a a1 typed')
})

test('a prompt that back closes is refused, and the one below it waits on', async () => {
  const texts = { title: 'Send?', text: '', rows: [], danger: true, ok: 'Send', cancel: 'Keep' }
  const answers: [string, boolean][] = []
  void ui.ask(texts).then((agreed) => answers.push(['first', agreed]))
  void ui.ask(texts).then((agreed) => answers.push(['second', agreed]))
  await settled()
  await back()
  expect([answers, ui.prompts().length, ui.layers()]).toEqual([[['second', false]], 1, 1])
  await back()
  expect([answers, ui.prompts().length, ui.layers()]).toEqual([
    [
      ['second', false],
      ['first', false],
    ],
    0,
    0,
  ])
})
