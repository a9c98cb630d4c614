import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { answersOf, encodingFor } from '#config-server/serving/answers.ts'

test.for([
  [undefined, 'identity'],
  ['', 'identity'],
  ['br', 'br'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0.0,gzip;q=0', 'identity'],
  ['BR;q=0.5', 'br'],
  ['brotli, xgzip', 'identity'],
  ['identity', 'identity'],
  [`${'a,'.repeat(200)}br`, 'identity'],
] as const)('%j is served %s', ([header, wanted]) => {
  expect(encodingFor(header)).toBe(wanted)
})

test('every encoding holds the same text, with its own length and name', async () => {
  const text = '{"word":"ไทย"}'.repeat(50)
  const { identity, br, gzip } = await answersOf(text, [['X', 'y']])
  expect([identity.body.toString(), brotliDecompressSync(br.body).toString(), gunzipSync(gzip.body).toString()]).toEqual([text, text, text])
  expect(br.headers).toEqual(['X', 'y', 'Content-Encoding', 'br', 'Content-Length', String(br.body.length)])
  expect(identity.headers).toEqual(['X', 'y', 'Content-Length', String(Buffer.byteLength(text))])
})

test('what does not shrink goes as it is', async () => {
  const { identity, br, gzip } = await answersOf('{}', [])
  expect([br, gzip]).toEqual([identity, identity])
})
