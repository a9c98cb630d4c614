import { afterEach, expect, test, vi } from 'vitest'
import { framesAfterInput, onNetwork } from '#renderer/feed/feed-page.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

function page() {
  vi.useFakeTimers()
  const page = new EventTarget()
  const asked: (() => void)[] = []
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => asked.push(run))
  const wanted: string[] = []
  const frame = framesAfterInput()
  return {
    wanted,
    input: (type: string) => page.dispatchEvent(new Event(type)),
    ask: (name: string) => frame(() => wanted.push(name)),
    /** Draws one frame, and runs the tasks after it. */
    draw() {
      for (const run of asked.splice(0)) run()
      vi.runAllTimers()
    },
  }
}

test('without input, prices come with the next frame', () => {
  const { wanted, ask, draw } = page()
  ask('a')
  expect(wanted).toEqual([])
  draw()
  expect(wanted).toEqual(['a'])
})

test.each(['keydown', 'pointerdown', 'click'])('after %s they come with the frame behind it, and then as before', (type) => {
  const { wanted, input, ask, draw } = page()
  ask('a')
  input(type)
  draw()
  expect(wanted).toEqual([])
  draw()
  expect(wanted).toEqual(['a'])
  ask('b')
  draw()
  expect(wanted).toEqual(['a', 'b'])
})

test('keys in every frame hold prices back by one frame, not for ever', () => {
  const { wanted, input, ask, draw } = page()
  ask('a')
  for (let i = 0; i < 2; i++) {
    input('keydown')
    draw()
  }
  expect(wanted).toEqual(['a'])
})

test.each([true, false, 'has it without events'])(
  'a network that is back or another one is heard of, where the browser tells (%s)',
  (tells) => {
    const [page, connection] = [new EventTarget(), new EventTarget()]
    vi.stubGlobal('window', page)
    vi.stubGlobal('navigator', tells === true ? { connection } : tells ? { connection: { saveData: true } } : {})
    const heard: string[] = []
    const off = onNetwork(() => heard.push('network'))
    page.dispatchEvent(new Event('online'))
    connection.dispatchEvent(new Event('change'))
    expect(heard).toHaveLength(tells === true ? 2 : 1)
    off()
    page.dispatchEvent(new Event('online'))
    connection.dispatchEvent(new Event('change'))
    expect(heard).toHaveLength(tells === true ? 2 : 1)
  },
)
