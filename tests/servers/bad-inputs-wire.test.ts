import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type * as z from 'zod'
import type { CallRow } from '#contract/call.ts'
import { type CallName, contract } from '#contract/contract.ts'
import { type BadInput, badInputs, badTexts, nameOf } from '#tests/support/bad-inputs.ts'
import { type FieldStage, gistOf, mustBeClean, openFieldStage } from '#tests/support/browser/field-stage.ts'
import { callFields } from '#tests/support/call-fields.ts'
import { formOf, wireOf } from '#tests/support/databases/pool.ts'
import { everyNth } from '#tests/support/house/sizes.ts'

const calls = Object.keys(contract) as CallName[]
const rowOf = (call: CallName): CallRow => contract[call]
const noPicture = Buffer.from('no picture')
const form = 'application/x-www-form-urlencoded'

let stage: FieldStage
beforeAll(async () => {
  stage = await openFieldStage()
})
afterAll(() => stage?.end())

/** Asserts that Object.prototype has no new members. */
function prototypesAreClean(): void {
  const probe: Record<string, unknown> = {}
  for (const key in probe) expect.fail(`every object has ${key}`)
  for (const key of ['x', 'a', 'admin', 'amount', 'polluted']) expect(probe[key], key).toBeUndefined()
  expect(Object.hasOwn(Object.prototype, '__proto__')).toBe(true)
}

/** The answer of a call to valid fields. Answers are compared without values that are new in each. */
async function right(call: CallName, headers: Record<string, string> = {}): Promise<string> {
  const answer = await stage.send(call, [...stage.pairs(call), ...(rowOf(call).keyed ? [] : ([['note', '1']] as [string, string][]))], {
    headers,
    file: noPicture,
  })
  mustBeClean(answer, call)
  expect(answer.text).not.toContain('evil.example')
  return gistOf(answer).replace(
    /"(token|ticket|device|id|seen|created|saveTime|expires|ts|seq|quote_id|ended|resend_after)":("[^"]*"|\d+)/g,
    '"$1":0',
  )
}

describe.each(everyNth(calls, 12))('%s', (call) => {
  const row = rowOf(call)
  const fields = Object.keys(callFields[call])
  const needed = fields.filter((field) => !(row.input as z.ZodObject).shape[field]!.safeParse(undefined).success)

  test('forged headers have no effect', async () => {
    // Effects that happen only once come before the comparison.
    await right(call)
    const plain = await right(call)
    for (const line of badInputs('http-header')) {
      const headers = Object.fromEntries(
        Object.entries(line.value as Record<string, string>).map(([key, text]) => [key.toLowerCase(), text]),
      )
      const said = await right(call, headers)
      const isBody = 'content-type' in headers || 'content-encoding' in headers
      if (isBody && row.method === 'POST') expect(said, nameOf(line)).toMatch(/^4\d\d /)
      else expect(said, nameOf(line)).toBe(plain)
    }
  })

  test('the call has one address and one method', async () => {
    const path = `/api${row.path}`
    const other = [`/${path}`, `${path}/`, path.toUpperCase(), path.replace('/api/', '/api//'), `/api/x/..${row.path}`, `/api/.${row.path}`]
    const escaped = `${path.slice(0, 5)}%${path.charCodeAt(5).toString(16)}${path.slice(6)}`
    for (const one of [...other, escaped, `${path}%00`, `${path};x=1`, `${path}%2f`]) {
      const authorization = await stage.token(call)
      const answer = await stage.raw({ method: row.method, path: one, headers: { authorization, 'content-length': '0' } })
      mustBeClean(answer, one)
      expect(gistOf(answer), one).toBe('404 not_found')
    }
    for (const [method, named] of [
      ['PUT', row.path],
      ['PATCH', row.path],
      ['DELETE', row.path],
      ['PROPFIND', row.path],
    ] as const) {
      const headers = { authorization: await stage.token(call), 'content-length': '0', 'x-http-method-override': row.method }
      const answer = await stage.raw({ method, path: `/api${named}`, headers })
      expect(gistOf(answer), method).toBe('405 method_not_allowed')
    }
  })

  if (row.auth === 'user')
    test('a token is accepted in its header only, complete and valid', async () => {
      const token = await stage.token(call)
      const { api } = stage
      const ended = await stage.token('user.logout')
      expect((await api.get('/api/user/logout', { authorization: ended })).status).toBe(200)
      const given: Record<string, string> = {
        '{operator_token}': 'x'.repeat(43),
        '{token_of_disabled_user}': ended,
        '{token_after_logout}': ended,
        '{VALID_TOKEN_UPPERCASED}': token.toUpperCase(),
      }
      const lines = badTexts('auth-token', 'sql', 'log').map(({ value }) => given[value] ?? value)
      for (const value of [...lines, token.slice(1), `${token}.`, `${token} ${token}`, `Basic ${token}`, `Bearer Bearer ${token}`]) {
        if (/[^\x20-\x7E\xA0-\xFF]/.test(value)) continue
        const answer = await stage.send(call, stage.pairs(call), { token: value, file: noPicture })
        mustBeClean(answer, value)
        expect(gistOf(answer), value.slice(0, 60)).toBe('401 unauthorized')
      }
      for (const name of ['token', 'authorization', 'Authorization', 'access_token']) {
        const answer = await stage.send(call, [...stage.pairs(call), [name, token]], { token: null, file: noPicture })
        expect(gistOf(answer), name).toBe('401 unauthorized')
      }
      for (const headers of [{ cookie: `token=${token}; authorization=${token}` }, { token }, { 'x-authorization': token }] as Record<
        string,
        string
      >[])
        expect(gistOf(await stage.send(call, stage.pairs(call), { token: null, headers, file: noPicture }))).toBe('401 unauthorized')
      const query = wireOf(row, formOf(stage.pairs(call)), {}, noPicture)
      const answer = await stage.raw({
        ...query,
        path: `${query.path}${query.path.includes('?') ? '&' : '?'}token=${token}&authorization=${token}`,
      })
      expect(gistOf(answer)).toBe('401 unauthorized')
    })

  if (row.method === 'POST' && !row.upload) {
    test('fields are accepted in the body only', async () => {
      for (const field of needed) {
        const value = stage.pairs(call).find(([name]) => name === field)![1]
        const wire = wireOf(row, formOf(stage.pairs(call, { [field]: undefined })), {
          authorization: await stage.token(call),
          [field]: 'x',
        })
        const answer = await stage.raw({ ...wire, path: `${wire.path}?${formOf([[field, value]])}` })
        expect(gistOf(answer), field).toBe(`400 parameter_missing ${field}`)
      }
    })

    test('invalid bodies are refused twice in the same way, and reach no prototype', async () => {
      const before = await stage.standing()
      const authorization = await stage.token(call)
      const post = async (body: string, type: string, what: string) => {
        const wire = { method: 'POST', path: `/api${row.path}`, body }
        const answer = await stage.raw({
          ...wire,
          headers: { authorization, 'content-type': type, 'content-length': String(Buffer.byteLength(body)) },
        })
        mustBeClean(answer, what)
        return answer
      }
      for (const line of badTexts('form-body')) {
        const { value, note } = line
        const [first = 'amount'] = needed
        const rest = formOf(stage.pairs(call, { [first]: undefined }))
        const renamed = value.replaceAll('amount', encodeURIComponent(first))
        for (const body of [renamed, [rest, renamed].filter(Boolean).join('&')]) {
          const answer = await post(body, form, nameOf(line))
          if (/invalid UTF-8|parameter limit|^413/.test(note)) expect(answer.status, nameOf(line)).toBeGreaterThanOrEqual(400)
        }
      }
      for (const line of badInputs('json-body') as BadInput[]) {
        for (let time = 0; time < 2; time++) {
          const answer = await post(String(line.value), 'application/json', nameOf(line))
          expect(gistOf(answer), nameOf(line)).toMatch(/^(400 body_unreadable|413 body_too_large)$/)
        }
      }
      prototypesAreClean()
      if (needed.length > 0) expect(await stage.standing()).toBe(before)
    })
  }

  test('member names of Object.prototype are not accepted as fields', async () => {
    const plain = await right(call)
    const names = [
      '__proto__',
      '__proto__[x]',
      '__proto__[admin]',
      'constructor',
      'constructor[prototype][x]',
      'prototype',
      'toString',
      'hasOwnProperty',
      'valueOf',
    ]
    const more = names.map((name): [string, string] => [name, '1'])
    const answer = await stage.send(call, [...stage.pairs(call), ...more], { file: noPicture })
    mustBeClean(answer, call)
    if (!row.upload) expect(answer.status, answer.text).toBe(row.keyed ? 400 : plain.startsWith('{') ? 200 : Number(plain.slice(0, 3)))
    prototypesAreClean()
  })
})

test('every line of methods', async () => {
  for (const { value } of badTexts('http-method')) {
    const [method = '', path = ''] = value.split(' ')
    const answer = await stage.raw({ method, path, headers: { authorization: await stage.token('user.info'), 'content-length': '0' } })
    expect(answer.status, value).toBeGreaterThanOrEqual(400)
    expect(answer.status, value).toBeLessThan(500)
    expect(answer.headers['access-control-allow-origin'], value).toBeUndefined()
    if (method !== 'HEAD') mustBeClean(answer, value)
  }
})

test('the server has logged no error and still answers', async () => {
  expect(stage.logged).toEqual([])
  prototypesAreClean()
  expect((await stage.api.get('/health')).json()).toMatchObject({ status: 'ok', database: 'up' })
})
