import { type Database, writeAny } from '#server-kit/db/db.ts'
import { StartRefused } from '#server-kit/ops/start-refused.ts'
import type { Secrets } from '#server-kit/security/secrets.ts'

/**
 * Values that are sealed in this database open only with the keys that sealed them; so a node that lacks one must not begin to write. The
 * database knows the fingerprint of each key in the order in which they came. A key that it does not know yet is the newest from here on.
 * @throws StartRefused that says what to do
 */
export async function checkKey(
  { db }: Database,
  { fingerprint, fingerprints }: Pick<Secrets, 'fingerprint' | 'fingerprints'>,
): Promise<void> {
  const read = async () => {
    const rows = await db.selectFrom('secret_key').select(['version', 'fingerprint']).orderBy('version').execute()
    const [first] = rows
    // Hashes are made with the oldest key: it must be the one that the database began with.
    const lacking =
      rows.find((row) => !fingerprints.includes(row.fingerprint)) ?? (first?.fingerprint === fingerprints.at(-1) ? undefined : first)
    if (lacking)
      throw new StartRefused(
        `The keys of this node (${fingerprints.join(', ')}) are not those that the database was written with: ${lacking.fingerprint} is missing or not in its place. ` +
          'Nodes on one database need the same SECRET_KEY and SECRET_KEYS_OLD, or the same secret.key in DATA_DIR; the oldest key stands last.',
      )
    return rows
  }
  const add = (version: number, added: string) =>
    writeAny(
      db
        .insertInto('secret_key')
        .values({ version, fingerprint: added })
        .onConflict((one) => one.column('version').doNothing()),
    )
  await add(1, fingerprints.at(-1)!)
  const rows = await read()
  if (rows.some((row) => row.fingerprint === fingerprint)) return
  await add(rows.at(-1)!.version + 1, fingerprint)
  await read()
}
