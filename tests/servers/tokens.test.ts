import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCrowd } from '#tests/support/feed/crowd.ts'
import { sized } from '#tests/support/house/sizes.ts'
import { startApi, type TestApi } from '#tests/support/servers/api.ts'

const accounts = sized(100, 500)
const each = 20

const dataDir = mkdtempSync(join(tmpdir(), 'tessera-tokens-'))
let api: TestApi
beforeAll(async () => {
  api = await startApi({ place: { dataDir } })
})
afterAll(async () => {
  await api?.close()
  rmSync(dataDir, { recursive: true, force: true })
})

test('thousands of tokens are distinct and evenly distributed in every bit, and the database stores only their SHA-256', async () => {
  const people = await makeCrowd(
    api,
    Array.from({ length: accounts }, (_, i) => `many${i}`),
  )
  const caller = { lang: 'en', token: undefined, agent: '', ip: '127.0.0.1' }
  const opened: { token: string; id: string }[] = []
  for (const { id } of people)
    await api.database.transaction(async (tx) => {
      for (let i = 0; i < each; i++) opened.push(await api.api.accounts.sessions.open(tx, id, caller))
    })
  const tokens = opened.map(({ token }) => token)
  const count = accounts * each
  expect(new Set(tokens).size).toBe(count)
  expect(new Set(opened.map(({ id }) => id)).size).toBe(count)

  const ones = new Array<number>(256).fill(0)
  const bytes = new Array<number>(256).fill(0)
  for (const token of tokens) {
    expect(token.length).toBe(43)
    for (const [at, byte] of Buffer.from(token, 'base64url').entries()) {
      bytes[byte]!++
      for (let bit = 0; bit < 8; bit++) ones[at * 8 + bit]! += (byte >> bit) & 1
    }
  }
  // Six standard deviations: one failure in a million runs for the 256 bits.
  for (const [bit, n] of ones.entries()) expect(Math.abs(n - count / 2), `bit ${bit}`).toBeLessThan(6 * Math.sqrt(count / 4))
  const expected = (count * 32) / 256
  for (const [byte, n] of bytes.entries()) expect(Math.abs(n - expected), `byte ${byte}`).toBeLessThan(6 * Math.sqrt(expected))
  for (const part of [tokens.map((token) => token.slice(0, 12)), tokens.map((token) => token.slice(-12))])
    expect(new Set(part).size).toBe(count)

  const rows = await api.database.db.selectFrom('session').selectAll().execute()
  const hashes = new Map(rows.map((row) => [row.id, row.token_hash]))
  for (const { id, token } of opened) expect(hashes.get(id)?.equals(createHash('sha256').update(token).digest()), id).toBe(true)
  const text = rows.map((row) => JSON.stringify({ ...row, token_hash: row.token_hash.toString('base64url') })).join('\n')
  for (const token of tokens) if (text.includes(token)) expect.fail('a token stands in the database')
  const found = await Promise.all(opened.filter((_, i) => i % 997 === 0).map(({ token }) => api.api.accounts.sessions.check(token)))
  expect(found.every((one) => one !== undefined)).toBe(true)
})
