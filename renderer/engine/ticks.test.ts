import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTicks } from '#renderer/engine/ticks.ts'

const page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', Object.assign(page, { visibilityState: 'visible' }))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function stage() {
  const jumps = new Set<() => void>()
  const woken: string[] = []
  const tick = createTicks(
    {
      onJump(run) {
        jumps.add(run as () => void)
        return () => void jumps.delete(run as () => void)
      },
    },
    (topic) => woken.push(topic),
  )
  const jump = () => {
    for (const run of jumps) run()
  }
  return { tick, jump, woken, jumps, taken: () => woken.splice(0) }
}

test('now() is looked at every second and ages every minute, for as long as anything reads them', () => {
  const { tick, taken, jumps } = stage()
  const offs = [tick('clock'), tick('clock'), tick('format'), tick('data')]
  vi.advanceTimersByTime(3_000)
  expect(taken()).toEqual(['clock', 'clock', 'clock'])
  offs[0]!()
  vi.advanceTimersByTime(1_000)
  expect(taken()).toEqual(['clock'])
  offs[1]!()
  vi.advanceTimersByTime(56_000)
  expect(taken()).toEqual(['format'])
  offs[2]!()
  offs[3]!()
  expect([vi.getTimerCount(), jumps.size]).toEqual([0, 0])
})

test('at once when the clock was set and when the page is shown again; a hidden page does not tick', () => {
  const { tick, taken, jump } = stage()
  tick('clock')
  jump()
  expect(taken()).toEqual(['clock'])
  page.visibilityState = 'hidden'
  page.dispatchEvent(new Event('visibilitychange'))
  vi.advanceTimersByTime(5_000)
  jump()
  expect(taken()).toEqual([])
  page.visibilityState = 'visible'
  page.dispatchEvent(new Event('visibilitychange'))
  expect(taken()).toEqual(['clock'])
})
