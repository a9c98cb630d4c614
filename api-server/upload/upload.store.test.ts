import { expect, test } from 'vitest'
import { uploadMigrations } from '#api-server/upload/upload.migration.ts'
import { dayOf } from '#api-server/upload/upload.rules.ts'
import { createUploadStore } from '#api-server/upload/upload.store.ts'
import { onPostgres } from '#tests/support/databases/on-postgres.ts'

onPostgres('stored pictures', ({ open }) => {
  test('concurrent uploads do not exceed the quota of stored pictures or of a day', async () => {
    const store = createUploadStore(await open(uploadMigrations))
    const quota = { picturesPerDay: 12, bytesPerDay: 1_000, picturesKept: 5, proofsKept: 5 }
    const now = 86_400_000
    const row = (i: number) => ({
      name: `picture-${i}`,
      uid: 1,
      purpose: 'draft' as const,
      kind: 'png' as const,
      width: 1,
      height: 1,
      bytes: 1,
      sha256: 'x',
      mark: null,
      created_at: now,
      claimed_at: null,
    })
    const all = Array.from({ length: 30 }, (_, i) => i)
    const counted = await Promise.all(all.map(() => store.count(1, dayOf(now), 1, quota)))
    expect(counted.filter(Boolean)).toHaveLength(12)
    const kept = await Promise.all(all.map((i) => store.insert(row(i), quota)))
    expect(kept.filter(Boolean)).toHaveLength(5)
    expect((await store.known(all.map((i) => `picture-${i}`))).size).toBe(5)
    expect(await store.count(1, dayOf(now), 1, quota)).toBe(false)
  })
})
