import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { userOf } from '#app/session/session.rules.ts'
import { createAnswers, sampleUser } from '#console/preview/frame/answers.ts'
import type { DryRun, Switches } from '#console/preview/protocol.ts'
import calls from '#contract/manifest.json'
import type { Api } from '#renderer/calls/api.ts'
import { upload } from '#renderer/calls/upload.ts'

const ajv = new Ajv2020({ strict: false })
const visitor: Switches = { language: 'en', theme: 'dark', customer: false, kyc: 0, data: 'ok' }

function stage(change: Partial<Switches> = {}) {
  const switches = { ...visitor, ...change }
  const sent: string[] = []
  const runs: DryRun[] = []
  const again: string[] = []
  const real = {
    async call(name: string) {
      sent.push(name)
      return 'real'
    },
  } as unknown as Api
  const api = createAnswers({
    real,
    switches: () => switches,
    customer: () => switches.customer,
    dry: (run) => runs.push(run),
    again: (call) => again.push(call),
    now: () => 1_760_000_000_000,
  })
  return { api, sent, runs, again, switches }
}
const read = { signal: new AbortController().signal }
const press = { key: 'k' }

describe('answers of the preview', () => {
  test.each(calls.map((call) => [call.name, call] as const))(
    '%s: a customer gets what the contract says, and nothing is sent',
    async (name, call) => {
      const fits = ajv.compile(call.output)
      for (const data of ['ok', 'empty'] as const) {
        const { api, sent } = stage({ customer: true, kyc: 2, data })
        const answer =
          'upload' in call ? await upload(api, name, new Blob(['x'])) : await api.call(name, {}, call.method === 'GET' ? read : press)
        const isReal = answer === 'real'
        expect(isReal || fits(answer), JSON.stringify(fits.errors)).toBe(true)
        expect(isReal).toBe(data === 'ok' && 'reads' in call && call.auth === 'none')
        expect(sent).toEqual(isReal ? [name] : [])
      }
    },
  )

  const writing = calls.filter((call) => !('reads' in call) && !('upload' in call))
  const whoAsks = { 'data of a page': read, 'a step': press, 'a call in passing': undefined }
  test.each(writing.flatMap(({ name }) => Object.entries(whoAsks).map(([who, options]) => ({ name, who, options }))))(
    '$name changes something: it is not sent for $who, and is listed',
    async ({ name, options }) => {
      for (const data of ['ok', 'empty', 'loading', 'error', 'stale'] as const) {
        const { api, sent, runs } = stage({ customer: true, kyc: 2, data })
        await api.call(name, {}, options)
        expect([sent, runs.map(({ call }) => call)]).toEqual([[], [name]])
      }
    },
  )
  test('a call that the contract does not have is not sent', async () => {
    const { api, sent } = stage({ customer: true })
    await expect(api.call('wallet.unknown', {}, read)).rejects.toMatchObject({ code: 4004 })
    expect(sent).toEqual([])
  })

  test('reads of visitors are real, and presses are not', async () => {
    const { api, sent, runs } = stage()
    expect(await api.call('common.faq', {}, read)).toBe('real')
    expect(await api.call('user.login', { username: 'ann', password: 'hunter22' }, press)).toMatchObject({ token: expect.any(String) })
    expect(sent).toEqual(['common.faq'])
    expect(runs).toMatchObject([{ call: 'user.login', args: { username: 'ann' } }])
    expect(JSON.stringify(runs)).not.toContain('hunter22')
  })
  test('a visitor is refused as the server would refuse, and nothing is sent', async () => {
    const { api, runs, sent } = stage()
    await expect(api.call('user.info', {}, read)).rejects.toMatchObject({ code: 401 })
    await expect(api.call('user.editNickname', {}, press)).rejects.toMatchObject({ code: 401 })
    await expect(upload(api, 'common.upload', new Blob())).rejects.toMatchObject({ code: 401 })
    expect([runs, sent]).toEqual([[], []])
  })
  test('calls that are made in passing are told, too', async () => {
    const { api, runs, sent } = stage({ customer: true })
    await api.call('user.logout', {})
    await api.call('user.addOptional', { symbol: 'BTCUSDT' })
    expect(runs.map(({ call }) => call)).toEqual(['user.logout', 'user.addOptional'])
    expect(sent).toEqual([])
  })
  test.each(['market.quotation', 'common.faq'])('%s in every state of data', async (name) => {
    await expect(stage({ data: 'error' }).api.call(name, {}, read)).rejects.toMatchObject({ code: 5001 })
    const stale = stage({ data: 'stale' })
    expect(await stale.api.call(name, {}, read)).toBeTypeOf('object')
    expect(stale.again).toEqual([name])
    await expect(stale.api.call(name, {}, read)).rejects.toMatchObject({ code: 5001 })
    const end = new AbortController()
    const loading = stage({ data: 'loading' }).api.call(name, {}, { signal: end.signal })
    const first = await Promise.race([loading.catch(() => 'ended'), new Promise((done) => setTimeout(() => done('waits'), 10))])
    expect(first).toBe('waits')
    end.abort(new Error('gone'))
    await expect(loading).rejects.toThrow('gone')
    for (const state of ['error', 'loading', 'empty'] as const) expect(stage({ data: state }).sent).toEqual([])
  })
  test('who somebody is stays known whatever becomes of the data', async () => {
    for (const data of ['loading', 'error', 'stale', 'empty'] as const)
      expect(await stage({ customer: true, kyc: 2, data }).api.call('user.info', {})).toMatchObject({ level: 2 })
  })
  test.each([0, 1, 2] as const)('the engine takes the sample of level %i for an account', (kyc) => {
    expect(userOf(sampleUser(kyc, 1_760_000_000_000))).toMatchObject({ level: kyc })
  })
  test('a second page is empty, so that a list ends', async () => {
    const { api } = stage({ data: 'ok', customer: true })
    expect(await api.call('wallet.getRecord', { page: 2 }, read)).toMatchObject({ list: [] })
  })
})
