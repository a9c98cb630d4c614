import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { keepSetupLink } from '#config-server/operators/setup-link.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tessera-link-'))
  file = join(folder, 'first-operator')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const link = (token: string) => `http://127.0.0.1:8080/console/#/setup/${token}`
const modeOf = () => (statSync(file).mode & 0o777).toString(8)

test('the link is readable by its owner alone, also where the file of an earlier start was open; it goes when somebody has set up', async () => {
  await keepSetupLink(file, link('one'))
  expect([readFileSync(file, 'utf8'), modeOf()]).toEqual([`${link('one')}\n`, '600'])
  chmodSync(file, 0o666)
  await keepSetupLink(file, link('two'))
  expect([readFileSync(file, 'utf8'), modeOf()]).toEqual([`${link('two')}\n`, '600'])
  await keepSetupLink(file, undefined)
  expect(existsSync(file)).toBe(false)
  await keepSetupLink(file, undefined)
})

test('a file with anything else in it stays as it is, also behind a symbolic link', async () => {
  const precious = join(folder, 'precious')
  writeFileSync(precious, 'mine')
  symlinkSync(precious, file)
  for (const next of [link('one'), undefined]) {
    await expect(keepSetupLink(precious, next)).rejects.toThrow(/SETUP_LINK_FILE/)
    await expect(keepSetupLink(file, next)).rejects.toThrow(/SETUP_LINK_FILE/)
  }
  expect(readFileSync(precious, 'utf8')).toBe('mine')
})
