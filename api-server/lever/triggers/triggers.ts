import { Levels } from '#api-server/lever/triggers/levels.ts'
import { type Due, dueAt, levelsOf, type Watched } from '#api-server/lever/triggers/trigger.rules.ts'

/** The orders and positions that wait for prices of one symbol. Levels that falling prices reach stand there with a minus. */
interface Side {
  rising: Levels
  falling: Levels
  any: Set<number>
}
interface Fired {
  row: Watched
  due: Due
}

/** Waiting orders and open positions by the prices that they wait for. A tick costs what it fires, however many wait. */
export function createTriggers() {
  const rows = new Map<number, Watched>()
  const symbols = new Map<string, Side>()

  function sideOf(symbol: string): Side {
    let side = symbols.get(symbol)
    if (!side) {
      side = { rising: new Levels(), falling: new Levels(), any: new Set() }
      symbols.set(symbol, side)
    }
    return side
  }
  function remove(id: number): void {
    const row = rows.get(id)
    if (!row) return
    rows.delete(id)
    const [{ rising, falling }, side] = [levelsOf(row), sideOf(row.symbol)]
    if (rising !== null) side.rising.remove(rising, id)
    if (falling !== null) side.falling.remove(-falling, id)
    side.any.delete(id)
  }

  return {
    get: (id: number): Watched | undefined => rows.get(id),
    size: () => rows.size,
    clear(): void {
      rows.clear()
      symbols.clear()
    },
    /** Takes the place of an earlier copy. */
    put(row: Watched): void {
      remove(row.id)
      rows.set(row.id, row)
      const [{ rising, falling, any }, side] = [levelsOf(row), sideOf(row.symbol)]
      if (rising !== null) side.rising.add(rising, row.id)
      if (falling !== null) side.falling.add(-falling, row.id)
      if (any) side.any.add(row.id)
    },
    remove,
    /** As `take`, for one row alone. */
    takeOne(id: number, mark: number, tick: number): boolean {
      const row = rows.get(id)
      if (!row || !dueAt(row, mark, tick)) return false
      remove(id)
      return true
    },
    /** Takes out what a tick fires, in the order in which its price was met. */
    take(symbol: string, mark: number, tick: number): Fired[] {
      const side = symbols.get(symbol)
      if (!side) return []
      const fired: Fired[] = []
      for (const id of [...side.any, ...side.falling.reached(-mark), ...side.rising.reached(mark)]) {
        const row = rows.get(id)
        const due = row && dueAt(row, mark, tick)
        if (!due) continue
        fired.push({ row, due })
        remove(id)
      }
      return fired
    },
  }
}
export type Triggers = ReturnType<typeof createTriggers>
