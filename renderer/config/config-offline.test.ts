import { describe, expect, test } from 'vitest'
import { count, fakeServer, later, settle, startConfig as start } from '#renderer/config/config-fixture.ts'

describe('when the server is not there', () => {
  test('the stream comes back by itself, with growing waits, and catches up', async () => {
    const { config, server, streams, says, pass } = start()
    await config.load('en')
    const seen: number[] = []
    config.watch((manifest) => seen.push(manifest.release))
    says('open')
    await settle()
    for (const [made, waitMs] of [
      [2, 1_000],
      [3, 2_000],
      [4, 3_400],
    ] as const) {
      says('error')
      expect(streams.at(-1)?.closed).toBe(true)
      await pass(waitMs - 100)
      expect(streams).toHaveLength(made - 1)
      await pass(100)
      expect(streams).toHaveLength(made)
    }
    server.publish({ documents: { 'app/app': 2 } })
    says('open')
    await settle()
    expect(seen).toEqual([2])
  })
  test('where no stream gets through, the manifest is asked for now and then', async () => {
    const { config, server, says, pass } = start()
    await config.load('en')
    const seen: number[] = []
    config.watch((manifest) => seen.push(manifest.release))
    server.publish({ documents: { 'app/app': 2 } })
    for (let i = 0; i < 30; i++) {
      says('error')
      await pass(3_500)
    }
    await settle()
    expect(seen).toEqual([2])
    expect(count(server.asked, 'manifest')).toBeLessThanOrEqual(3)
  })
  const failures: [string, () => Promise<Response>][] = [
    ['refuses', async () => Promise.reject(new TypeError('x'))],
    ['answers 500', async () => new Response('x', { status: 500 })],
    ['answers HTML', async () => new Response('<html>')],
    ['answers a cut manifest', async () => new Response('{"release":1,"hash":"h","loc')],
    ['answers no documents', async () => Response.json({ release: 1, hash: 'h', locale: 'en', documents: {}, texts: {}, inline: {} })],
    [
      'answers documents of a wrong shape',
      async () => Response.json({ release: 1, hash: 'h', locale: 'en', documents: { 'app/app': null }, texts: {}, inline: {} }),
    ],
    ['answers an unasked 304', async () => new Response(null, { status: 304 })],
  ]
  test.each(failures)('a first load that %s fails, goes on trying, and tells when it comes', async (_, answer) => {
    const { config, server, pass } = start()
    const seen: string[][] = []
    config.watch((_manifest, changed) => seen.push(changed))
    server.answers.set('manifest', answer)
    await expect(config.load('en')).rejects.toMatchObject({ code: 0 })
    await pass(9_000)
    await settle()
    expect(config.current()).toBeUndefined()
    server.answers.clear()
    await pass(5_000)
    await settle()
    expect(config.current()?.release).toBe(1)
    expect(seen).toEqual([['app/app', 'screen/home', 'screen/market']])
  })
  test.each(failures)('a last good set is shown when the server %s, and the news follows', async (_, answer) => {
    const { config, server, pass } = start({ rescue: async (_locale, fits) => fits(fakeServer().manifest('en')) })
    server.answers.set('manifest', answer)
    expect((await config.load('en')).release).toBe(1)
    const seen: number[] = []
    config.watch((manifest) => seen.push(manifest.release))
    server.publish({ documents: { 'app/app': 2 } })
    server.answers.clear()
    await pass(5_000)
    await settle()
    expect(seen).toEqual([2])
  })
  test('a server that is slow is waited for 1.5 s, then the last good set is shown', async () => {
    const { config, server, pass } = start({ rescue: async (_locale, fits) => fits(fakeServer().manifest('en')) })
    server.publish({ documents: { 'app/app': 2 } })
    const held = later<Response>()
    server.answers.set('manifest', () => held.promise)
    const loaded = config.load('en')
    await pass(1_500)
    expect((await loaded).release).toBe(1)
    const seen: number[] = []
    config.watch((manifest) => seen.push(manifest.release))
    held.give(Response.json(server.manifest('en')))
    await settle()
    expect(seen).toEqual([2])
  })
  test('without any set that fits, the first load fails and tries again', async () => {
    const { config, server, pass } = start({ rescue: async (_locale, fits) => fits({ release: 1 }) })
    server.answers.set('manifest', async () => Promise.reject(new TypeError('x')))
    await expect(config.load('en')).rejects.toMatchObject({ name: 'network_failed' })
    server.answers.clear()
    await pass(5_000)
    await settle()
    expect(config.current()?.release).toBe(1)
  })
  test('an answer that never comes is given up', async () => {
    const fetch = (_url: string, init: RequestInit) =>
      new Promise<Response>((_, reject) => init.signal?.addEventListener('abort', () => reject(new DOMException('x', 'AbortError'))))
    const { config, pass } = start({ fetch })
    const loaded = config.load('en').catch((problem: unknown) => problem)
    await pass(2_000)
    await settle()
    await pass(13_100)
    expect(await loaded).toMatchObject({ name: 'timed_out' })
  })
})
