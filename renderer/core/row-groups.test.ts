import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type RowGroup, regroup } from '#renderer/core/row-groups.ts'

interface Row {
  key: string
  node: string
  scope: object
}
const made = new Map<string, Row>()
/** The same row for the same key, but a new object, as a model gives it. */
function rowOf(key: string): Row {
  const scope = made.get(key)?.scope ?? {}
  const row = { key, node: 'row', scope }
  made.set(key, row)
  return row
}
const named = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => String(from + i))
const group = (before: readonly RowGroup<Row>[], keys: readonly string[]) => regroup(before, keys.map(rowOf))
const sizes = (groups: readonly RowGroup<Row>[]) => groups.map(({ rows }) => rows.length)
const changed = (before: readonly RowGroup<Row>[], after: readonly RowGroup<Row>[]) => after.filter((one) => !before.includes(one)).length
const hundred = named(0, 100)

describe('groups of rows', () => {
  test.each([
    ['no rows', [], []],
    ['a short list', named(0, 5), [5]],
    ['a long list', hundred, [24, 24, 24, 24, 4]],
  ])('%s', (_, keys, expected) => {
    expect(sizes(group([], keys))).toEqual(expected)
  })

  test.each([
    ['a row in front of a full group', ['new', ...hundred], [1, 24, 24, 24, 24, 4]],
    ['a row at the end, where there is room', [...hundred, 'new'], [24, 24, 24, 24, 5]],
    ['a row in the middle of a full group', hundred.toSpliced(30, 0, 'new'), [24, 25, 24, 24, 4]],
    ['a row between two full groups', hundred.toSpliced(24, 0, 'new'), [24, 1, 24, 24, 24, 4]],
    ['a row that leaves', hundred.toSpliced(30, 1), [24, 23, 24, 24, 4]],
    ['rows of one group that change places', hundred.with(1, '2').with(2, '1'), [24, 24, 24, 24, 4]],
  ])('changes one group at most for %s', (_, keys, expected) => {
    const before = group([], hundred)
    const after = group(before, keys)
    expect(sizes(after)).toEqual(expected)
    expect(changed(before, after)).toBe(1)
  })

  test('puts rows that come in front one by one into one group until it is full', () => {
    let groups = group([], hundred)
    for (let n = 0; n < 30; n++) groups = group(groups, [...named(100, 101 + n).toReversed(), ...hundred])
    expect(sizes(groups)).toEqual([6, 24, 24, 24, 24, 24, 4])
  })

  test('moves a row from the last group to the first place, and no other row', () => {
    const before = group([], hundred)
    const after = group(before, ['99', ...named(0, 99)])
    expect(sizes(after)).toEqual([1, 24, 24, 24, 24, 3])
    expect(after.slice(1, 5)).toEqual(before.slice(0, 4))
    expect(changed(before, after)).toBe(2)
  })

  test('drops a group whose rows have all left, and leaves the others as they are', () => {
    const before = group([], hundred)
    const after = group(before, [...named(0, 24), ...named(48, 100)])
    expect(after).toEqual([before[0], ...before.slice(2)])
    expect(changed(before, after)).toBe(0)
  })

  test('holds every row once and in order, and moves no row that keeps its place among the others', () => {
    const list = fc.uniqueArray(fc.integer({ min: 0, max: 200 }).map(String), { maxLength: 150 })
    fc.assert(
      fc.property(fc.array(list, { maxLength: 5 }), fc.infiniteStream(fc.nat()), (lists, places) => {
        let groups: readonly RowGroup<Row>[] = []
        const idOf = () => new Map(groups.flatMap(({ id, rows }) => rows.map(({ key }) => [key, id] as const)))
        for (const wanted of lists) {
          groups = group(groups, wanted)
          expect(groups.flatMap(({ rows }) => rows.map(({ key }) => key))).toEqual(wanted)
          expect(new Set(groups.map(({ id }) => id)).size).toBe(groups.length)
          expect(sizes(groups)).not.toContain(0)
          // Rows come and go, and the rest keeps its order.
          const before = idOf()
          const kept = wanted.filter(() => places.next().value % 3 > 0)
          const grown = kept.flatMap((key) => (places.next().value % 4 === 0 ? [`${key}+`, key] : [key]))
          groups = group(groups, grown)
          expect(groups.flatMap(({ rows }) => rows.map(({ key }) => key))).toEqual(grown)
          const after = idOf()
          for (const key of kept) expect(after.get(key)).toBe(before.get(key))
        }
      }),
      { seed: 24, numRuns: 60 },
    )
  })
})
