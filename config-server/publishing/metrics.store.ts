import type { MetricRow, MetricStore } from '#config-server/guard/metrics.ts'
import { type Database, write, writeAny } from '#server-kit/db/db.ts'

/** Stores the reports of clients, of every node. @param node name of this process among those that share the database */
export function createMetricStore(database: Database, node: string): MetricStore {
  const { db } = database
  return {
    // In one order, so that nothing waits in a circle.
    keep: (rows) =>
      database.transaction(async (tx) => {
        for (const { release, minute, sums } of [...rows].sort(
          (left, right) => left.release - right.release || left.minute - right.minute,
        )) {
          const text = JSON.stringify(sums)
          await write(
            1,
            tx
              .insertInto('config_figures')
              .values({ release, minute, node, sums: text })
              .onConflict((conflict) => conflict.columns(['release', 'minute', 'node']).doUpdateSet({ sums: text })),
          )
        }
      }),
    async load(releases, fromMinute) {
      if (!releases.length) return []
      const all = db
        .selectFrom('config_figures')
        .selectAll()
        .where('release', 'in', [...releases])
      const found = new Map<string, MetricRow>()
      for (const { release, minute, sums } of await all.where('minute', '>=', fromMinute).orderBy('minute').execute()) {
        const row = found.get(`${release} ${minute}`) ?? { release, minute, sums: {} }
        found.set(`${release} ${minute}`, row)
        for (const [name, sum] of Object.entries(sums as Record<string, number>)) row.sums[name] = (row.sums[name] ?? 0) + sum
      }
      return [...found.values()]
    },
    removeOld: async (beforeMinute) => void (await writeAny(db.deleteFrom('config_figures').where('minute', '<', beforeMinute))),
  }
}
