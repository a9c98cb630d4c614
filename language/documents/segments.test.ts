import { describe, expect, test } from 'vitest'
import type { AppDoc, PromptDoc, QuickEntriesDoc, ScreenDoc } from '#language/documents/documents.ts'
import { parse } from '#language/documents/parse.ts'
import { prepare } from '#language/documents/prepare.ts'
import { unaskable } from '#language/documents/segments.ts'
import { catalog } from '#language/testdata/catalog.ts'
import { type Change, filesWith, lintFiles } from '#language/testdata/linted.ts'
import { texts } from '#language/testdata/project.ts'

const segments = () => ({
  verified: { label: 'Verified', test: 'session.kyc >= 1' },
  visitors: { label: 'Visitors', test: 'not session.logged_in' },
})
const own = (): Change => ['schemas/app.json', '/segments', segments()]
const home = 'schemas/screens/home.json'
const show = '/body/0/show'
const verified = { '>=': [{ var: 'session.kyc' }, 1] }

function prepared(changes: readonly Change[]) {
  const { documents, problems } = parse(filesWith([own(), ...changes]))
  expect(problems).toEqual([])
  return (key: string) => prepare(documents, catalog).find((one) => one.key === key)?.doc
}
const said = (...changes: Change[]) =>
  lintFiles(filesWith([own(), ...changes]), texts())
    .filter(({ message }) => /segment/.test(message))
    .map(({ check, pointer, message, suggestion }) => ({ check, pointer, message, ...(suggestion !== undefined && { suggestion }) }))

describe('a segment', () => {
  test.for([
    ['segment.verified', verified],
    ['not segment.verified', { '!': [verified] }],
    [
      "segment.visitors and session.language = 'ja'",
      { and: [{ '!': { var: 'session.logged_in' } }, { '===': [{ var: 'session.language' }, 'ja'] }] },
    ],
  ] as const)('is replaced by its condition in a guard: %s', ([text, tree]) => {
    const screen = prepared([[home, show, text]])('screen/home') as ScreenDoc
    expect((screen.body[0] as { show: unknown }).show).toEqual(tree)
  })

  test('stays in the app document without its name, for rollouts', () => {
    const app = prepared([])('app/app') as AppDoc
    expect(app.segments).toEqual({ verified: { test: verified }, visitors: { test: { '!': { var: 'session.logged_in' } } } })
  })

  test('is known to lint, and an unknown one is named with the nearest', () => {
    expect(said([home, show, 'segment.verified'])).toEqual([])
    expect(said([home, show, 'segment.verifed'])).toEqual([
      { check: 'paths', pointer: show, message: 'there is no "verifed" in "segment"', suggestion: 'segment.verified' },
    ])
  })

  test('reads what is known of a visitor on every page, and no other segment', () => {
    for (const test of ["device.theme = 'dark'", 'session.logged_in and app.pageSize > 5'])
      expect(said(['schemas/app.json', '/segments/other', { label: 'Other', test }])).toEqual([])
    for (const test of ['segment.verified', 'data.list', 'params.id = 1'])
      expect(
        said(['schemas/app.json', '/segments/other', { label: 'Other', test }]).map(({ check, pointer }) => [check, pointer]),
      ).toContainEqual(['app', '/segments/other/test'])
  })
})

test('types of prompts and entries know segments too', () => {
  const entry = ['schemas/quick-entries/tabs.json', '/entries/0/show', 'segment.verified'] as unknown as Change
  const doc = prepared([entry])('quick-entries/tabs') as QuickEntriesDoc
  expect(doc.entries[0]?.show).toEqual(verified)
  expect(said(entry)).toEqual([])
  expect((prepared([])('prompt/cancel') as PromptDoc | undefined)?.kind).toBe('prompt')
})

test('a rollout cannot ask for a segment that does not exist, or that reads more than clients tell', () => {
  const tests = {
    verified,
    japanese: { '===': [{ var: 'session.language' }, 'ja'] },
    newcomers: { '>': [{ var: 'session.user.created' }, 1] },
    dark: { '===': [{ var: 'device.theme' }, 'dark'] },
    plain: 'session.logged_in',
  }
  expect(unaskable(['verified', 'japanese', 'plain'], tests)).toEqual([])
  expect(unaskable(['verified', 'gone', 'newcomers', 'dark'], tests)).toEqual(['gone', 'newcomers', 'dark'])
})
