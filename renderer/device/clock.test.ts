import { describe, expect, test } from 'vitest'
import { createClock } from '#renderer/device/clock.ts'

const hourMs = 3_600_000
/** The server's time when a test begins. */
const serverMs = 1_790_000_000_000

/** A device whose clock is wrong, and a server whose clock is right until a test sets it. */
function stage(wrongByMs = 0, ahead?: number) {
  const at = { steady: 500, wall: serverMs + wrongByMs, server: serverMs }
  const kept: number[] = []
  const clock = createClock({ device: { wall: () => at.wall, steady: () => at.steady }, ahead, keep: (ms) => kept.push(ms) })
  const jumps: number[] = []
  clock.onJump((byMs) => jumps.push(byMs))
  const pass = (ms: number) => {
    at.steady += ms
    at.wall += ms
    at.server += ms
  }
  return {
    at,
    clock,
    kept,
    jumps,
    pass,
    /** A request is under way for so long; the server says its time at half of it. */
    ask(tookMs: number, stepMs = 0) {
      pass(tookMs / 2)
      const said = stepMs ? Math.floor(at.server / stepMs) * stepMs : at.server
      pass(tookMs / 2)
      clock.heard(said, tookMs, stepMs)
    },
    /** Steady clocks stand still while the device sleeps. */
    sleep(ms: number) {
      at.wall += ms
      at.server += ms
    },
    off: () => clock.now() - at.server,
    settle: () => Promise.resolve(),
  }
}

describe('an answer sets the clock', () => {
  test.each([-26 * hourMs, -hourMs, -90_000, 0, 90_000, hourMs, 26 * hourMs])('of a device that is wrong by %d ms', async (wrongByMs) => {
    const { clock, ask, off, kept, jumps, settle, pass } = stage(wrongByMs)
    expect(clock.known()).toBe(false)
    expect(off()).toBe(wrongByMs)
    ask(80)
    expect(clock.known()).toBe(true)
    expect(off()).toBe(0)
    pass(5 * hourMs)
    expect(off()).toBe(0)
    await settle()
    expect(jumps).toEqual(wrongByMs === 0 ? [] : [-wrongByMs])
    expect(kept).toEqual(wrongByMs === 0 ? [] : [-wrongByMs])
  })

  test('a time without parts of a second sets it to the half second, and never puts a more exact one out', () => {
    const first = stage(hourMs)
    first.ask(100, 1_000)
    expect(Math.abs(first.off())).toBeLessThanOrEqual(550)
    first.ask(40)
    expect(first.off()).toBe(0)
    first.ask(100, 1_000)
    first.ask(6_000)
    expect(first.off()).toBe(0)
  })

  test('what cannot be agrees with nothing: the server was set', () => {
    const { at, ask, off } = stage()
    ask(40)
    at.server -= 2 * hourMs
    ask(100)
    expect(off()).toBe(0)
    at.server += 3_000
    ask(900)
    expect(off()).toBe(0)
  })

  test.each([Number.NaN, Number.POSITIVE_INFINITY, 0, -5, 9e15])('a time of %d is none', (said) => {
    const { clock, off } = stage(hourMs)
    clock.heard(said, 10)
    clock.heard(serverMs, Number.NaN)
    clock.heard(serverMs, -1)
    expect([clock.known(), off()]).toEqual([false, hourMs])
  })
})

describe('between answers', () => {
  test('setting the clock of the device back changes nothing, and time never goes back', () => {
    const { at, clock, ask, off, pass } = stage()
    ask(20)
    const before = [clock.now(), clock.elapsed()]
    at.wall -= hourMs
    expect([clock.now(), clock.elapsed()]).toEqual(before)
    pass(1_000)
    expect(off()).toBe(0)
    at.steady -= 400
    expect(clock.elapsed()).toBe(before[1]! + 1_000)
  })

  test('a sleep counts at once, for durations too, and whoever shows the time hears of it', async () => {
    const { clock, ask, off, sleep, jumps, settle } = stage(-hourMs)
    ask(20)
    const before = clock.elapsed()
    await settle()
    jumps.length = 0
    sleep(8 * hourMs)
    expect(off()).toBe(0)
    expect(clock.elapsed() - before).toBe(8 * hourMs)
    await settle()
    expect(jumps).toEqual([8 * hourMs])
  })

  test('a clock that was set forward looks like a sleep until the next answer, however vague that is', () => {
    const { at, ask, off } = stage()
    ask(20)
    at.wall += hourMs
    expect(off()).toBe(hourMs)
    ask(300, 1_000)
    expect(Math.abs(off())).toBeLessThanOrEqual(650)
  })

  test('an answer that was under way during a sleep is vague', () => {
    const { at, clock, pass, sleep, off, ask } = stage()
    ask(20)
    const sentAt = clock.elapsed()
    pass(10)
    const said = at.server
    sleep(60_000)
    pass(10)
    clock.heard(said, clock.elapsed() - sentAt)
    ask(20)
    expect(off()).toBe(0)
  })
})

test.each([
  ['two seconds early', 2_000, true],
  ['as it should be', 0, false],
  ['late by less than a message may be under way', -900, false],
  ['late by more', -1_200, true],
  ['late by an hour', -hourMs, true],
  ['unreadable', Number.NaN, false],
])('a time that nobody asked for and that is %s contradicts: %s', (_name, byMs, wanted) => {
  const { at, clock, ask } = stage(hourMs)
  ask(10)
  expect(clock.contradicts(at.server + byMs)).toBe(wanted)
})

test('what the device knew when it was last open holds until the first answer', () => {
  const { at, clock, off, ask, kept } = stage(hourMs, -hourMs)
  expect([off(), clock.known()]).toEqual([0, false])
  at.server += 700
  ask(20)
  expect([off(), clock.known()]).toEqual([0, true])
  expect(kept).toEqual([-hourMs + 700])
  expect(stage(hourMs, Number.NaN).off()).toBe(hourMs)
})

test('nobody is told any more who has stopped listening', async () => {
  const { clock, ask, settle } = stage(hourMs)
  const heard: number[] = []
  clock.onJump((byMs) => heard.push(byMs))()
  ask(20)
  await settle()
  expect(heard).toEqual([])
})
