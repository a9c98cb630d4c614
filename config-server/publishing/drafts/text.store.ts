import { sha256 } from '#config-server/release.rules.ts'
import { type Db, type Tx, writeAny } from '#server-kit/db/db.ts'

const rowsAtOnce = 200

/** sha256 → text, as many as there are of those asked for. A text that is not what its name says is left out, as if it were gone. */
export async function readTexts(db: Db | Tx, shas: Iterable<string>): Promise<Map<string, string>> {
  const wanted = [...new Set(shas)]
  const found = new Map<string, string>()
  for (let i = 0; i < wanted.length; i += rowsAtOnce) {
    const some = wanted.slice(i, i + rowsAtOnce)
    for (const row of await db.selectFrom('config_text').selectAll().where('sha256', 'in', some).execute())
      if (sha256(row.text) === row.sha256) found.set(row.sha256, row.text)
  }
  return found
}

/** Keeps texts under their names; those that are there stay. In the order of their names, so that two writers do not wait for each other in a circle. */
export async function putTexts(tx: Tx, texts: Iterable<readonly [sha: string, text: string]>): Promise<void> {
  const rows = [...new Map(texts)].sort(([left], [right]) => (left < right ? -1 : 1)).map(([sha, text]) => ({ sha256: sha, text }))
  for (let i = 0; i < rows.length; i += rowsAtOnce) {
    const some = rows.slice(i, i + rowsAtOnce)
    await writeAny(
      tx
        .insertInto('config_text')
        .values(some)
        .onConflict((conflict) => conflict.doNothing()),
    )
  }
}
