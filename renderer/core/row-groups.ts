/** Rows of a repeat that stand together. A row is drawn again without a look at the rows of other groups. */
export interface RowGroup<R> {
  readonly id: number
  readonly rows: readonly R[]
}

interface Row {
  readonly key: string
  readonly node: unknown
  readonly scope: unknown
}

/** Size of a new group: a change of a row passes by the other groups, and by the other rows of its own. */
const rowsInGroup = 24

/**
 * Puts rows into groups. A row stays in its group unless it moves past rows of another one, so that its view keeps its state: full groups are
 * not divided and small ones not joined. New rows between two groups go into one that has room, or into new groups.
 * @param before the groups as they were; those whose rows are the same are returned as they are
 */
export function regroup<R extends Row>(before: readonly RowGroup<R>[], rows: readonly R[]): readonly RowGroup<R>[] {
  const places = new Map(before.flatMap((group, place) => group.rows.map(({ key }) => [key, place] as const)))
  const staying = inOrder(rows.map(({ key }) => places.get(key)))
  const next: { id: number; rows: R[]; place: number | undefined }[] = []
  let lastId = before.reduce((most, { id }) => Math.max(most, id), 0)
  /** Rows since the last one that stays: new ones, and those that come from elsewhere. */
  let newcomers: R[] = []
  const settle = () => {
    const last = next.at(-1)
    last?.rows.push(...newcomers.splice(0, Math.max(0, rowsInGroup - last.rows.length)))
    while (newcomers.length > 0) next.push({ id: ++lastId, rows: newcomers.splice(0, rowsInGroup), place: undefined })
  }
  for (const [at, row] of rows.entries()) {
    const place = staying[at]
    const own = place === undefined ? undefined : before[place]
    if (!own) newcomers.push(row)
    else if (next.at(-1)?.place === place) {
      next.at(-1)?.rows.push(...newcomers, row)
      newcomers = []
    } else {
      const fits = newcomers.length + own.rows.length <= rowsInGroup
      if (!fits) settle()
      next.push({ id: own.id, rows: [...newcomers, row], place })
      newcomers = []
    }
  }
  settle()
  return next.map(({ id, rows, place }) => {
    const old = place === undefined ? undefined : before[place]
    return old && alike(old.rows, rows) ? old : { id, rows }
  })
}

const alike = (a: readonly Row[], b: readonly Row[]) =>
  a.length === b.length && a.every(({ key, node, scope }, at) => key === b[at]?.key && node === b[at].node && scope === b[at].scope)

/**
 * Takes out as few entries as possible, so that the rest never goes back (a longest subsequence that does not decrease).
 * @returns undefined in the place of those that are taken out
 */
function inOrder(places: readonly (number | undefined)[]): readonly (number | undefined)[] {
  /** `ends[n]` is where the lowest end of a run of n + 1 entries stands; `previous` leads back along the run. */
  const ends: number[] = []
  const previous: number[] = []
  for (const [at, place] of places.entries()) {
    if (place === undefined) continue
    let from = 0
    let to = ends.length
    while (from < to) {
      const middle = (from + to) >> 1
      if (Number(places[ends[middle] ?? 0]) <= place) from = middle + 1
      else to = middle
    }
    previous[at] = ends[from - 1] ?? -1
    ends[from] = at
  }
  const kept: (number | undefined)[] = places.map(() => undefined)
  for (let at = ends.at(-1) ?? -1; at >= 0; at = previous[at] ?? -1) kept[at] = places[at]
  return kept
}
