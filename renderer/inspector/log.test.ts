import mitt from 'mitt'
import { describe, expect, test } from 'vitest'
import type { Step } from '#language/documents/documents.ts'
import type { Engine, EngineEvents } from '#renderer/engine/types.ts'
import { keepLog, stepLines } from '#renderer/inspector/log.ts'
import { dots } from '#renderer/inspector/mask.ts'

function stage(call: (name: string) => Promise<unknown>) {
  const engine = { bus: mitt<EngineEvents>(), api: { call }, clock: { now: () => 1_000 } } as unknown as Engine
  return { engine, log: keepLog(engine) }
}
class Refused extends Error {
  override name = 'insufficient_balance'
}

describe('the log', () => {
  test('follows a call to its end and keeps no secret', async () => {
    const { engine, log } = stage(async () => ({ token: 'x' }))
    const answer = engine.api.call('auth.login', { account: 'ann', password: 'hunter2' })
    expect(log.entries()).toMatchObject([{ kind: 'call', subject: 'auth.login', outcome: 'running' }])
    expect(await answer).toEqual({ token: 'x' })
    expect(log.entries()).toMatchObject([{ outcome: 'done', lines: [`{"account":"ann","password":"${dots}"}`] }])
    expect(JSON.stringify(log.entries())).not.toContain('hunter2')
  })
  test('names the problem and hands it on', async () => {
    const { engine, log } = stage(() => Promise.reject(new Refused()))
    await expect(engine.api.call('wallet.withdraw', {})).rejects.toThrow(Refused)
    expect(log.entries()).toMatchObject([{ outcome: 'failed', problem: 'insufficient_balance' }])
  })
  test('tells of a failed call once', () => {
    const { engine, log } = stage(async () => ({}))
    engine.bus.emit('call-failed', { screen: 's', call: 'wallet.withdraw', name: 'x' })
    expect(log.entries()).toEqual([])
    engine.bus.emit('call-failed', { screen: 's', call: '', name: 'Error: no prompt' })
    expect(log.entries()).toMatchObject([{ kind: 'fault', lines: ['Error: no prompt'] }])
  })
  test('is newest first and bounded', () => {
    const { engine, log } = stage(async () => ({}))
    for (let i = 0; i < 300; i++) engine.bus.emit('action', { screen: `s${i}`, steps: [{ back: true }] })
    expect(log.entries()).toHaveLength(200)
    expect(log.entries()[0]?.subject).toBe('s299')
    log.clear()
    expect(log.entries()).toEqual([])
  })
  test.each<[Step[], string[]]>([
    [[{ back: true }], ['back']],
    [
      [{ go: 'pages/home' }, { refresh: ['a'] }],
      ['go pages/home', 'refresh ["a"]'],
    ],
    [[{ call: 'auth.login', args: { password: 'p' }, as: 'r' }], [`call auth.login {"args":{"password":"${dots}"},"as":"r"}`]],
    [[{ if: { has: 'data.x' }, then: [{ close: true }], else: [{ back: true }] }], ['if {"has":"data.x"}', '  close', 'else', '  back']],
  ])('%j reads as lines', (steps, lines) => {
    expect(stepLines(steps)).toEqual(lines)
  })
})
