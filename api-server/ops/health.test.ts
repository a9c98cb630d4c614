import type { Request, Response } from 'express'
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { expect, test } from 'vitest'
import { createHealth } from '#api-server/ops/health.ts'
import type { Database, Tables } from '#server-kit/db/db.ts'
import type { DiskState } from '#server-kit/files/disk.ts'

const db = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (one) => new PostgresIntrospector(one),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

test.each<[DiskState, string]>([
  ['up', 'ok'],
  ['full', 'degraded'],
  ['read_only', 'degraded'],
  ['unreachable', 'degraded'],
])('with a disk that is %s the health is %s, and the node goes on answering', async (disk, status) => {
  const answers: unknown[] = []
  const res = {
    status(code: number) {
      answers.push(code)
      return res
    },
    json: (body: unknown) => void answers.push(body),
  }
  const parts = { feed: () => 'up' as const, disk: () => disk, ledger: () => 'sound' as const }
  const health = createHealth({ database: { db } as unknown as Database, ...parts, version: '1.2.3', build: 'abc' })
  await health({} as Request, res as unknown as Response, () => undefined)
  expect(answers).toEqual([200, { status, database: 'up', feed: 'up', disk, ledger: 'sound', version: '1.2.3', build: 'abc' }])
})
