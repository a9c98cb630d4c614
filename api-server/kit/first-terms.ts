import { createTermsStore } from '#api-server/kit/terms.ts'
import type { Database } from '#server-kit/db/db.ts'
import { takeTurnIn } from '#server-kit/db/db.ts'
import type { Clock } from '#server-kit/ops/clock.ts'

/**
 * Stores the terms of a new platform as first versions, where the product has no terms yet. Not a step of the database: those of a product run
 * before the table of terms is made.
 * @param first terms by key; they are checked against the schema
 * @throws ZodError for terms that do not have the form of the product
 */
export async function addFirstTerms<T extends object>(
  { database, clock }: { database: Database; clock: Clock },
  { product, read }: { product: string; read(stored: unknown): T },
  first: Readonly<Record<string, T>>,
): Promise<void> {
  const store = createTermsStore(database)
  await database.transaction(async (tx) => {
    // One server adds them, however many start at once.
    await takeTurnIn(database, tx, 'terms')
    if ((await store.current([product], tx)).length > 0) return
    const at = clock.now()
    for (const [key, terms] of Object.entries(first))
      await store.add(tx, { product, key, version: 1, terms: read(terms), changed_by: '', at })
  })
}
