import { expect, test } from 'vitest'
import {
  addressOf,
  dayOf,
  draftKeptMs,
  isName,
  isPublic,
  mayBecome,
  nameBytes,
  nameIn,
  type Purpose,
} from '#api-server/upload/upload.rules.ts'
import { picturePurposes } from '#contract/calls/common.calls.ts'
import { badTexts } from '#tests/support/bad-inputs.ts'

const name = 'a1'.repeat(nameBytes)

test('names have at least 128 random bits, and an address gives back its name', () => {
  expect(nameBytes * 8).toBeGreaterThanOrEqual(128)
  expect(isName(name)).toBe(true)
  expect(nameIn(addressOf(name))).toBe(name)
})

test.each<[string]>([
  [''],
  [name],
  [`https://evil.example${addressOf(name)}`],
  [`//evil.example${addressOf(name)}`],
  [`${addressOf(name)}?x=1`],
  [`${addressOf(name)}#x`],
  [`${addressOf(name)}/`],
  [`${addressOf(name)}\n`],
  [addressOf(name.toUpperCase())],
  [addressOf(name.slice(2))],
  [addressOf(`../${name.slice(3)}`)],
  [addressOf(`%2e${name.slice(3)}`)],
  ['javascript:alert(1)'],
  ['data:image/png;base64,AAAA'],
])('%j is not an address of an upload', (address) => expect(nameIn(address)).toBeUndefined())

test.each(badTexts('path', 'filename', 'url').map(({ kind, value, note }) => [kind, value, note] as const))('%s %j: %s', (_kind, value) => {
  expect(isName(value)).toBe(false)
  expect(nameIn(value)).toBeUndefined()
  expect(nameIn(addressOf(value))).toBeUndefined()
})

test('a draft can be claimed once for any purpose; a private upload never becomes public', () => {
  const allowed = picturePurposes.flatMap((from) => picturePurposes.filter((to) => mayBecome(from, to)).map((to) => `${from} → ${to}`))
  expect(allowed).toEqual([
    'draft → draft',
    'draft → avatar',
    'draft → identity',
    'draft → proof',
    'avatar → avatar',
    'identity → identity',
    'proof → proof',
  ])
  expect(picturePurposes.filter((one: Purpose) => isPublic(one))).toEqual(['avatar'])
})

test.each<[number, number]>([
  [0, 0],
  [86_399_999, 0],
  [86_400_000, 1],
  [1_800_000_000_000, 20_833],
])('%i ms is on day %i', (now, day) => expect(dayOf(now)).toBe(day))

test('unclaimed pictures are kept for one day', () => expect(draftKeptMs).toBe(86_400_000))
