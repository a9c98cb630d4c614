import { expect, test } from 'vitest'
import { copyName, copyTime, keptCopies, outdatedCopies } from '#server-kit/files/backups.rules.ts'

const minute = 60_000
const begun = Date.UTC(2026, 10, 22, 15, 2, 34)

test('a name tells the second in which the copy was begun, and nothing else is taken for one', () => {
  expect(copyName(begun + 999)).toBe('tessera-2026-11-22T15-02-34Z')
  expect(copyTime(copyName(begun))).toBe(begun)
  for (const name of [
    '',
    'tessera-',
    'tessera-2026-11-22T15-02-34Z.unfinished',
    'x-2026-11-22T15-02-34Z',
    'tessera-2026-11-22',
    'tessera-2026-19-99T15-02-34Z',
  ])
    expect(copyTime(name), name).toBeUndefined()
})

test.each<[what: string, names: string[], outdated: string[]]>([
  ['none', [], []],
  ['as many as stay', Array.from({ length: keptCopies.newest }, (_, i) => copyName(begun - i * minute)), []],
  [
    'more, of one day: the oldest go',
    Array.from({ length: keptCopies.newest + 2 }, (_, i) => copyName(begun - i * 10 * minute)),
    [keptCopies.newest, keptCopies.newest + 1].map((i) => copyName(begun - i * 10 * minute)),
  ],
  [
    'foreign names',
    [
      'notes.txt',
      'old',
      ...Array.from({ length: keptCopies.newest }, (_, i) => copyName(begun - i * minute)),
      'tessera-2020-01-01T00-00-00Z.unfinished',
    ],
    [],
  ],
])('of copies: %s', (_what, names, outdated) => {
  expect(outdatedCopies(names)).toEqual(outdated)
  expect(outdatedCopies([...names].reverse())).toEqual(outdated)
})

test('of the days before the newest the last copy of each stays, for as many days as are kept', () => {
  const tenMinutes = Array.from({ length: 30 * 144 }, (_, i) => copyName(begun - i * 10 * minute))
  const outdated = new Set(outdatedCopies(tenMinutes))
  const stay = tenMinutes.filter((name) => !outdated.has(name))
  // The newest of today are among the twelve.
  expect(stay).toHaveLength(keptCopies.newest + keptCopies.days - 1)
  expect(stay.at(-1)).toMatch(/^tessera-2026-11-09T23-/)
  expect(new Set(stay.slice(keptCopies.newest).map((name) => name.slice(0, 18))).size).toBe(keptCopies.days - 1)
})
