import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createPictureFiles } from '#api-server/upload/upload.files.ts'
import { createSecrets } from '#server-kit/security/secrets.ts'

const dir = mkdtempSync(join(tmpdir(), 'tessera-sealed-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))
const files = createPictureFiles(dir, createSecrets('a key that is long enough for tests'))
const picture = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(5_000, 7)])
const name = (letter: string) => letter.repeat(40)
const pathOf = (letter: string) => join(dir, letter.repeat(2), name(letter))

test.each([
  ['sealed', 'a', true],
  ['open', 'b', false],
])('a picture stored %s is read back unchanged', async (_how, letter, sealed) => {
  await files.write(name(letter), picture, sealed)
  expect((await files.whole(name(letter)))?.equals(picture)).toBe(true)
  expect(readFileSync(pathOf(letter)).includes('PNG')).toBe(!sealed)
})
test('an encrypted picture that was changed, truncated, moved, or encrypted with another key is not served', async () => {
  const sealed = readFileSync(pathOf('a'))
  for (const at of [1, 20, sealed.length - 1]) {
    const changed = Buffer.from(sealed)
    changed[at]! ^= 1
    writeFileSync(pathOf('a'), changed)
    await expect(files.whole(name('a')), String(at)).rejects.toThrow()
  }
  writeFileSync(pathOf('a'), sealed.subarray(0, 200))
  await expect(files.read(name('a'))).rejects.toThrow()
  writeFileSync(pathOf('a'), sealed)
  mkdirSync(dirname(pathOf('c')))
  copyFileSync(pathOf('a'), pathOf('c'))
  await expect(files.whole(name('c'))).rejects.toThrow()
  const stranger = createPictureFiles(dir, createSecrets('another key that is long enough'))
  await expect(stranger.whole(name('a'))).rejects.toThrow()
  expect((await stranger.whole(name('b')))?.equals(picture)).toBe(true)
  expect(await files.whole(name('d'))).toBeUndefined()
})
