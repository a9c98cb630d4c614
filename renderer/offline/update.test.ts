import { describe, expect, test, vi } from 'vitest'
import { type Update, watchUpdates } from '#renderer/offline/update.ts'

/** A browser with one worker registration, moved by hand. */
function stage(options: { controlled: boolean; waiting?: boolean }) {
  let found = () => {}
  let changed = () => {}
  let letGo = () => {}
  const sent: string[] = []
  const worker = (state: string) => {
    let listener = () => {}
    return {
      state,
      postMessage: (text: string) => void sent.push(text),
      addEventListener: (_: string, one: () => void) => {
        listener = one
      },
      become(next: string) {
        this.state = next
        listener()
      },
    }
  }
  const registration = {
    waiting: options.waiting ? worker('installed') : null,
    installing: null as ReturnType<typeof worker> | null,
    update: vi.fn(async () => undefined),
    addEventListener: (_: string, one: () => void) => {
      found = one
    },
  }
  const register = vi.fn(async (_url: unknown) => registration)
  const reload = vi.fn()
  const looks: (() => void)[] = []
  const held = new Promise<void>((done) => {
    letGo = done
  })
  const start = (free: () => Promise<void> = () => Promise.resolve()): Promise<Update> =>
    watchUpdates({
      workers: {
        controller: options.controlled ? {} : null,
        register: register as never,
        addEventListener: (_, one) => {
          changed = one
        },
      },
      free,
      reload,
      everyMs: 1_000,
      every: (run) => void looks.push(run),
      onShow: (run) => void looks.push(run),
    })
  return {
    start,
    sent,
    reload,
    register,
    registration,
    looks,
    held,
    letGo: () => letGo(),
    changed: () => changed(),
    arrive() {
      const coming = worker('installing')
      registration.installing = coming
      found()
      return coming
    },
  }
}

const settled = () => new Promise((done) => setTimeout(done))

describe('a newer build', () => {
  test('that waits already is offered, and shown only when it is taken', async () => {
    const stand = stage({ controlled: true, waiting: true })
    const update = await stand.start()
    await settled()
    expect(update.ready()).toBe(true)
    expect(stand.sent).toEqual([])
    stand.changed()
    expect(stand.reload).not.toHaveBeenCalled()
    update.take()
    expect(stand.sent).toEqual(['take-over'])
    stand.changed()
    expect(stand.reload).toHaveBeenCalledTimes(1)
  })

  test('that arrives is offered once it is whole, and wakes who waits', async () => {
    const stand = stage({ controlled: true })
    const update = await stand.start()
    const wake = vi.fn()
    update.subscribe(wake)
    const coming = stand.arrive()
    await settled()
    expect(update.ready()).toBe(false)
    coming.become('installed')
    await settled()
    expect([update.ready(), wake.mock.calls.length]).toEqual([true, 1])
  })

  test('never interrupts: it is not even offered while something is held', async () => {
    const stand = stage({ controlled: true, waiting: true })
    const update = await stand.start(() => stand.held)
    await settled()
    expect(update.ready()).toBe(false)
    stand.letGo()
    await settled()
    expect(update.ready()).toBe(true)
  })

  test('is no news on the first visit, nor when its installation failed', async () => {
    const first = stage({ controlled: false })
    const update = await first.start()
    first.arrive().become('installed')
    await settled()
    expect(update.ready()).toBe(false)
    const failed = stage({ controlled: true })
    const other = await failed.start()
    failed.arrive().become('redundant')
    await settled()
    expect(other.ready()).toBe(false)
  })

  test('is looked for on a timer and when the app is shown again', async () => {
    const stand = stage({ controlled: true })
    await stand.start()
    for (const look of stand.looks) look()
    expect(stand.registration.update).toHaveBeenCalledTimes(2)
  })
})

test('the address of the worker goes through a policy that knows no other', async () => {
  const made: { createScriptURL(url: string): unknown }[] = []
  vi.stubGlobal('trustedTypes', {
    createPolicy: (_: string, rules: { createScriptURL(url: string): unknown }) => {
      made.push(rules)
      return { createScriptURL: (url: string) => ({ trusted: rules.createScriptURL(url) }) }
    },
  })
  try {
    const stand = stage({ controlled: true })
    await stand.start()
    expect(stand.register).toHaveBeenCalledWith({ trusted: '/sw.js' })
    expect(() => made[0]?.createScriptURL('https://elsewhere.example/sw.js')).toThrow(/not the worker/)
  } finally {
    vi.unstubAllGlobals()
  }
})
