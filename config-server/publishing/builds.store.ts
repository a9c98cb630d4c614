import type { BuildStore } from '#config-server/serving/builds.ts'
import { readCatalog } from '#config-server/serving/caps.rules.ts'
import { type Database, write } from '#server-kit/db/db.ts'

/** Known builds, for every node. */
export function createBuildStore({ db }: Database): BuildStore {
  return {
    async load() {
      const rows = await db.selectFrom('config_build').selectAll().orderBy('seen_at', 'desc').limit(500).execute()
      return rows.flatMap((row) => {
        const caps = readCatalog(row.catalog)
        return caps ? [{ caps, own: row.own, seenAt: row.seen_at }] : []
      })
    },
    async keep(builds) {
      for (const { caps, own, seenAt } of builds) {
        const row = { catalog: JSON.stringify(caps), own, seen_at: seenAt }
        await write(
          1,
          db
            .insertInto('config_build')
            .values({ hash: caps.hash, ...row })
            .onConflict((conflict) => conflict.column('hash').doUpdateSet(row)),
        )
      }
    },
  }
}
