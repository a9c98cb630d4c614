import { expect, test } from 'vitest'
import { isSourcePath, mustBe, nameOf, noteOf, reasonOf, rolloutOf, sourceOf } from '#config-server/publishing/drafts/validation.rules.ts'
import { type Actor, guardActor, systemActor, testActor } from '#config-server/publishing/publishing.ts'
import type { AnyProblemCode, ApiProblem } from '#contract/problem.ts'
import type { Role } from '#language/publish/publishing.ts'
import { publishingLimits } from '#language/publish/publishing-limits.ts'

const codeOf = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (error) {
    return (error as ApiProblem<AnyProblemCode>).code
  }
}
const operator = (...roles: Role[]): Actor => ({ name: 'ann', roles, kind: 'operator' })

test.for<[Actor, Role[], string | undefined]>([
  [operator('editor'), ['editor'], undefined],
  [operator('viewer', 'publisher'), ['editor', 'publisher'], undefined],
  [operator('viewer'), ['editor'], 'not_allowed'],
  [operator('administrator'), ['publisher'], 'not_allowed'],
  [operator(), ['editor'], 'not_allowed'],
  [systemActor, ['publisher'], undefined],
  [guardActor, ['publisher'], undefined],
  [testActor, ['publisher'], undefined],
])('%j for %j: %s', ([actor, roles, code]) => {
  expect(codeOf(() => mustBe(actor, ...roles))).toBe(code)
})

const paths: [path: string, may: boolean][] = [
  ['schemas/app.json', true],
  ['schemas/screens/fund/withdraw.json', true],
  ['schemas/quick-entries/home.json', true],
  ['schemas/flows/login.json', true],
  ['locales/en/home.json', true],
  ['locales/zh-hant/home.json', true],
  ['schemas/meta/screen.schema.json', false],
  ['schemas/../package.json', false],
  ['schemas/a/../../main.ts', false],
  ['schemas//a.json', false],
  ['schemas/.hidden.json', false],
  ['schemas/a.ts', false],
  ['schemas/a.json/b', false],
  ['/schemas/a.json', false],
  ['locales/en/deep/home.json', false],
  ['locales/home.json', false],
  ['locales/__proto__/home.json', false],
  ['widgets/manifest.json', false],
  ['schemas\\a.json', false],
  ['schemas/a\n.json', false],
  [`schemas/${'a'.repeat(200)}.json`, false],
  ['', false],
]
test.for(paths)('%j may be written: %s', ([path, may]) => {
  expect(isSourcePath(path)).toBe(may)
})

test.for<[string, () => unknown, unknown]>([
  ['a name', () => nameOf(' New home '), 'New home'],
  ['no name', () => nameOf('  '), 'reason_missing'],
  ['a long name', () => nameOf('x'.repeat(publishingLimits.nameLengthMax + 1)), 'too_large'],
  ['no note', () => noteOf(undefined), ''],
  ['a long note', () => noteOf('x'.repeat(publishingLimits.noteLengthMax + 1)), 'too_large'],
  ['a note that is none', () => noteOf(5 as unknown as string), 'too_large'],
  ['a reason', () => reasonOf(' because '), 'because'],
  ['no reason', () => reasonOf(undefined), 'reason_missing'],
  ['a blank reason', () => reasonOf(' \n'), 'reason_missing'],
  ['a reason with a character that no database keeps', () => reasonOf('a\0b'), 'too_large'],
  ['a text', () => sourceOf('schemas/a.json', '{}'), '{}'],
  [
    'a text as long as it may be',
    () => sourceOf('schemas/a.json', 'x'.repeat(publishingLimits.fileBytesMax)).length,
    publishingLimits.fileBytesMax,
  ],
  ['a text without its byte order mark', () => sourceOf('schemas/a.json', '\uFEFF{}'), '{}'],
  ['a text that nests too deep', () => sourceOf('schemas/a.json', '['.repeat(40) + ']'.repeat(40)), 'too_large'],
  [
    'a text too long in bytes, not in letters',
    () => sourceOf('schemas/a.json', '中'.repeat(publishingLimits.fileBytesMax / 2)),
    'too_large',
  ],
  ['a text with a character that no database keeps', () => sourceOf('schemas/a.json', '"\0"'), 'checks_failed'],
])('%s', ([, work, wanted]) => {
  expect(codeOf(work)).toBe(wanted)
})

const segment = { languages: ['en', 'hk'], loggedIn: true, kyc: 1, caps: ['a'.repeat(64)] }
test.for<[unknown, unknown]>([
  [{ percent: 5 }, { percent: 5, segment: {} }],
  [
    { percent: 0.01, segment },
    { percent: 0.01, segment },
  ],
  [
    { percent: 100, segment: { ...segment, more: 1 }, extra: 1 },
    { percent: 100, segment },
  ],
  [{ percent: 101 }, 'state_wrong'],
  [{ percent: -1 }, 'state_wrong'],
  [{ percent: Number.NaN }, 'state_wrong'],
  [{ percent: '5' }, 'state_wrong'],
  [{}, 'state_wrong'],
  [{ percent: 5, segment: null }, 'state_wrong'],
  [{ percent: 5, segment: [] }, 'state_wrong'],
  [{ percent: 5, segment: { languages: [] } }, 'state_wrong'],
  [{ percent: 5, segment: { languages: ['e n'] } }, 'state_wrong'],
  [{ percent: 5, segment: { loggedIn: 1 } }, 'state_wrong'],
  [{ percent: 5, segment: { kyc: 3 } }, 'state_wrong'],
  [{ percent: 5, segment: { caps: 'a' } }, 'state_wrong'],
  [
    { percent: 5, segment: { named: ['verified'] } },
    { percent: 5, segment: { named: ['verified'] } },
  ],
  [{ percent: 5, segment: { named: 'verified' } }, 'state_wrong'],
])('rollout %j', ([request, wanted]) => {
  expect(codeOf(() => rolloutOf(request as object))).toEqual(wanted)
})
