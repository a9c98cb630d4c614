import { type Database, writeAny } from '#server-kit/db.ts'
import type { Secrets } from '#server-kit/secrets.ts'
import { StartRefused } from '#server-kit/start-refused.ts'

const version = 1

/**
 * What is sealed in this database opens with one key only; so a node with another one must not begin to write.
 * @throws StartRefused that says what to do
 */
export async function checkKey({ db }: Database, { fingerprint }: Secrets): Promise<void> {
  await writeAny(
    db
      .insertInto('secret_key')
      .values({ version, fingerprint })
      .onConflict((one) => one.column('version').doNothing()),
  )
  const row = await db.selectFrom('secret_key').select('fingerprint').where('version', '=', version).executeTakeFirstOrThrow()
  if (row.fingerprint === fingerprint) return
  throw new StartRefused(
    `The key of this node (${fingerprint}) is not the one that the database was written with (${row.fingerprint}). ` +
      'Nodes on one database need the same SECRET_KEY, or the same secret.key in DATA_DIR.',
  )
}
