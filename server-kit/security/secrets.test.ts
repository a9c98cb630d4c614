import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createSecrets, openSecrets, randomToken } from '#server-kit/security/secrets.ts'

const folder = mkdtempSync(join(tmpdir(), 'tessera-secrets-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const one = createSecrets('a key that is long enough for tests')

test('what is sealed opens with the same key for the same purpose, and never twice alike', () => {
  const sealed = one.seal('JBSWY3DPEHPK3PXP ✓', 'second_factor:1')
  expect(one.open(sealed, 'second_factor:1')).toBe('JBSWY3DPEHPK3PXP ✓')
  expect(sealed[0]).toBe(1)
  expect(sealed.toString('latin1')).not.toContain('JBSWY3')
  expect(one.seal('JBSWY3DPEHPK3PXP ✓', 'second_factor:1').equals(sealed)).toBe(false)
})

test('it opens for nobody else', () => {
  const sealed = one.seal('secret', 'second_factor:1')
  expect(() => one.open(sealed, 'second_factor:2')).toThrow()
  expect(() => createSecrets('another key that is long enough').open(sealed, 'second_factor:1')).toThrow()
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed)
    changed[at]! ^= 1
    expect(() => one.open(changed, 'second_factor:1'), String(at)).toThrow()
  }
  for (const short of [Buffer.alloc(0), sealed.subarray(0, 20)]) expect(() => one.open(short, 'second_factor:1')).toThrow()
})

test('after a change of keys the newest one seals, all open, and MACs stay as they were', () => {
  const [older, newer] = ['a key that is long enough for tests', 'the key after it, long enough as well']
  const both = createSecrets(newer, [older])
  const before = one.seal('secret', 'x')
  const after = both.seal('secret', 'x')
  expect([both.open(before, 'x'), both.open(after, 'x'), createSecrets(newer).open(after, 'x')]).toEqual(Array(3).fill('secret'))
  expect(() => one.open(after, 'x')).toThrow()
  expect(() => both.open(before, 'y')).toThrow()
  expect(() => createSecrets(newer).open(before, 'x')).toThrow()
  expect(both.mac('code', '1').equals(one.mac('code', '1'))).toBe(true)
  expect(both.fingerprints).toEqual([createSecrets(newer).fingerprint, one.fingerprint])
  expect(both.fingerprint).toBe(both.fingerprints[0])
})

test('older keys are further lines of the file, or in SECRET_KEYS_OLD beside SECRET_KEY', () => {
  const dataDir = join(folder, 'rotated')
  const first = openSecrets({ dataDir })
  const sealed = first.seal('secret', 'x')
  const file = join(dataDir, 'secret.key')
  const line = Buffer.alloc(32, 7).toString('base64')
  writeFileSync(file, `${line}\n${readFileSync(file, 'utf8')}`)
  const rotated = openSecrets({ dataDir })
  expect(rotated.fingerprints).toEqual([createSecrets(Buffer.alloc(32, 7)).fingerprint, first.fingerprint])
  expect(rotated.open(sealed, 'x')).toBe('secret')
  const [older, secretKey] = ['a key that is long enough for tests', 'the key after it, long enough as well']
  expect(openSecrets({ dataDir, secretKey, oldKeys: [older] }).fingerprints.at(-1)).toBe(one.fingerprint)
  expect(() => openSecrets({ dataDir, oldKeys: [older] })).toThrow(/SECRET_KEYS_OLD/)
  writeFileSync(file, `${line}\nshort\n`)
  expect(() => openSecrets({ dataDir })).toThrow(/secret\.key/)
})

test('a MAC depends on key, purpose and text', () => {
  const macs = [
    one.mac('code', '1'),
    one.mac('code', '2'),
    one.mac('guard', '1'),
    createSecrets('another key that is long enough').mac('code', '1'),
  ]
  expect(new Set(macs.map((mac) => mac.toString('hex'))).size).toBe(4)
  expect(one.mac('code', '1').equals(macs[0]!)).toBe(true)
})

test('without SECRET_KEY a key is made once, for its owner only; a broken one stops the start', () => {
  const dataDir = join(folder, 'data')
  const first = openSecrets({ dataDir })
  expect(openSecrets({ dataDir }).fingerprint).toBe(first.fingerprint)
  const file = join(dataDir, 'secret.key')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(first.fingerprint).not.toContain(readFileSync(file, 'utf8').slice(0, 8))
  expect(openSecrets({ dataDir, secretKey: 'a key that is long enough for tests' }).fingerprint).toBe(one.fingerprint)
  writeFileSync(file, 'short')
  expect(() => openSecrets({ dataDir })).toThrow(/secret\.key/)
})

test('a start that is killed at any change of a file while it makes the key leaves what the next one starts from', async () => {
  const start = (at: number) =>
    new Promise<{ at: number; end: NodeJS.Signals | number | null }>((done) => {
      const child = spawn(process.execPath, [
        '--import',
        'tsx',
        'tests/support/killed/key-child.ts',
        join(folder, `killed-${at}`),
        String(at),
      ])
      child.once('close', (status, signal) => done({ at, end: signal ?? status }))
    })
  const ended = await Promise.all([2, 3, 4, 5, 6, 8].map(start))
  for (const { at } of ended)
    expect(openSecrets({ dataDir: join(folder, `killed-${at}`) }).fingerprint, String(at)).toMatch(/^[0-9a-f]{16}$/)
  // The last number is beyond its changes: folder, key, place, sweep.
  expect(ended.at(-1)?.end).toBe(0)
  expect(ended.filter(({ end }) => end === 'SIGKILL').length).toBeGreaterThanOrEqual(4)
})

test('an empty file, as earlier builds could leave it, is no key; what a killed start wrote aside goes; a key that is there stays', () => {
  const dataDir = join(folder, 'empty')
  const file = join(dataDir, 'secret.key')
  mkdirSync(dataDir)
  writeFileSync(file, '')
  writeFileSync(`${file}.old`, 'x')
  utimesSync(`${file}.old`, 1, 1)
  const { fingerprint } = openSecrets({ dataDir })
  expect(readdirSync(dataDir)).toEqual(['secret.key'])
  expect(openSecrets({ dataDir }).fingerprint).toBe(fingerprint)
})

test('tokens have 256 bits and do not repeat', () => {
  const tokens = Array.from({ length: 10_000 }, () => randomToken())
  expect(new Set(tokens).size).toBe(10_000)
  for (const token of tokens.slice(0, 100)) expect(Buffer.from(token, 'base64url')).toHaveLength(32)
})
