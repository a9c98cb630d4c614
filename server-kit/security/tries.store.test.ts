import { expect, test } from 'vitest'
import { accountMigrations } from '#api-server/account/account.migration.ts'
import { operatorMigrations } from '#config-server/operators/operators.migration.ts'
import { createTries, triesLimits } from '#server-kit/security/tries.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { sized } from '#tests/support/house/sizes.ts'

const rounds = sized(20, 300)

onEngines('tries at a secret', (engine) => {
  test.for(['guard', 'config_operator_guard'] as const)(
    'a try is counted or told to wait, also while others are right and wipe the count: %s',
    async (table) => {
      const database = await engine.open([...accountMigrations, ...operatorMigrations])
      const tries = createTries(database, table)
      for (let round = 0; round < rounds; round++) {
        const take = () => tries.take('pay:ann', round)
        const waits = await Promise.all([take(), take(), tries.clear('pay:ann'), take(), take(), tries.giveBack('pay:ann'), take(), take()])
        for (const wait of waits) expect(wait ?? 0).toBeLessThanOrEqual(triesLimits.firstDelayMs)
      }
      await tries.clear('pay:ann')
      const all = await Promise.all(Array.from({ length: 20 }, () => tries.take('pay:ann', 0)))
      expect(all.filter((wait) => wait === 0)).toHaveLength(triesLimits.freeTries)
    },
  )
})
