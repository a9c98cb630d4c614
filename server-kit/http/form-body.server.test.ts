import { request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express, { type ErrorRequestHandler } from 'express'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyLimits, formBody } from '#server-kit/http/form-body.ts'
import { bodyReason, problemOf } from '#server-kit/http/refusals.ts'

/** Forms are read by two readers; no answer may reveal which of them it was. */
const form = 'application/x-www-form-urlencoded'
/** The second is no form as the app sends it, so the general reader has it. */
const asSent = [form, `${form} ; charset="utf-8"`] as const

let server: Server
beforeAll(async () => {
  const app = express()
  app.use(formBody())
  app.use((req, res) => void res.json(Object.entries((req.body as Record<string, unknown> | undefined) ?? {})))
  const refuse: ErrorRequestHandler = (error, _req, res, _next) => {
    const { code, reason } = problemOf(error)
    res.json(reason === undefined ? code : `${code}: ${reason}`)
  }
  app.use(refuse)
  await new Promise<void>((done) => {
    server = app.listen(0, '127.0.0.1', () => done())
  })
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

function send(body: string | Buffer, type: string, headers: Record<string, string> = {}): Promise<unknown> {
  const { port } = server.address() as AddressInfo
  return new Promise((done, fail) => {
    const length = String(Buffer.byteLength(body))
    const req = request({ port, method: 'POST', headers: { 'content-type': type, 'content-length': length, ...headers } }, (res) => {
      let text = ''
      res.on('data', (part: Buffer) => {
        text += part.toString()
      })
      res.on('end', () => done(JSON.parse(text)))
    })
    req.on('error', fail)
    req.end(body)
  })
}

const many = (count: number) => Array.from({ length: count }, (_, at) => `f${at}=1`).join('&')
const bodies: [name: string, body: string | Buffer, expected: unknown][] = [
  ['two fields', 'amount=1.25&from=change', [['amount', '1.25'], ['from', 'change']]], // biome-ignore format: one case a line
  ['spaces, signs and letters of any script', 'a=+%2B%26%3D&b=%E0%B8%81%F0%9F%99%82&c=ก', [['a', ' +&='], ['b', 'ก🙂'], ['c', 'ก']]], // biome-ignore format: one case a line
  ['a name that is written with escapes', '%61=1', [['a', '1']]],
  ['no value, and no sign for one', 'a=&b', [['a', ''], ['b', '']]], // biome-ignore format: one case a line
  ['more than one equals sign', 'a=b=c', [['a', 'b=c']]],
  ['brackets', 'a[b]=1&c[]=2&d%5Be%5D=3', [['a[b]', '1'], ['c[]', '2'], ['d[e]', '3']]], // biome-ignore format: one case a line
  ['a name that comes twice is no text', 'a=1&a=2', [['a', ['1', '2']]]],
  ['and three times', 'a=1&b=3&a=2&a=4', [['a', ['1', '2', '4']], ['b', '3']]], // biome-ignore format: one case a line
  ['names of a prototype', '__proto__=1&constructor=2&hasOwnProperty=3', [['constructor', '2'], ['hasOwnProperty', '3']]], // biome-ignore format: one case a line
  ['empty parts and names', '&&=1&a=1&', [['a', '1']]],
  ['as many fields as may be', many(bodyLimits.fieldsMax), Array.from({ length: bodyLimits.fieldsMax }, (_, at) => [`f${at}`, '1'])],
  ['one more', many(bodyLimits.fieldsMax + 1), 'parameter_error'],
  ['half an escape', 'a=%4', 'body_unreadable: the body has bytes or escapes that are no UTF-8'],
  ['an escape that is no UTF-8', 'a=%C3%28', 'body_unreadable: the body has bytes or escapes that are no UTF-8'],
  ['bytes that are no UTF-8', Buffer.from([0x61, 0x3d, 0xc3, 0x28]), 'body_unreadable: the body has bytes or escapes that are no UTF-8'],
  ['as long as may be', `a=${'x'.repeat(bodyLimits.bytesMax - 2)}`, [['a', 'x'.repeat(bodyLimits.bytesMax - 2)]]],
  ['one byte more', `a=${'x'.repeat(bodyLimits.bytesMax - 1)}`, 'body_too_large'],
]
test.for(bodies)('%s', async ([, body, expected]) => {
  for (const type of asSent) expect(await send(body, type), type).toEqual(expected)
})

test.for<[name: string, type: string, headers: Record<string, string>, reason: string]>([
  ['another kind', 'application/json', {}, 'Content-Type must be application/x-www-form-urlencoded'],
  ['another alphabet', `${form}; charset=utf-16`, {}, 'the charset is not supported; send UTF-8'],
  ['packed in a way that nobody knows', form, { 'content-encoding': 'unknown' }, 'Content-Encoding is not supported'],
  ['said to be packed and is not', form, { 'content-encoding': 'gzip' }, 'the body is not what its headers say'],
])('no form is made of a body of %s', async ([, type, headers, reason]) => {
  expect(await send('a=1', type, headers)).toBe(`body_unreadable: ${reason}`)
})

test.each<[name: string, body: string, reason: string]>([
  ['a value is missing', '{"a":}', 'the JSON has a mistake at position 5'],
  ['a comma too many', '{"a":1,}', 'the JSON has a mistake at position 7'],
  ['the end is missing', '{"a":1', 'the JSON has a mistake at position 6'],
  ['a comment', '{} // a', 'the JSON has a mistake at position 3'],
  ['a text alone', '"a"', 'the body must be a JSON object'],
  ['deeper than the stack', '['.repeat(100_000), 'the body must be a JSON object'],
])('JSON that cannot be read tells where: %s', (_name, body, reason) => {
  expect(bodyReason({ type: 'entity.parse.failed', status: 400, body })).toBe(reason)
})
