import { beforeAll, expect, test } from 'vitest'
import { ApiProblem } from '#contract/problem.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { type OtcStage, openOtcStage } from '#tests/support/databases/otc-stage.ts'

onEngines('the limit of one OTC order', (engine) => {
  let on: OtcStage
  beforeAll(async () => {
    on = await openOtcStage(engine)
  })

  /** BTC costs 50,000.5 USDT, and one USDT is one dollar. */
  test.each<[level: number, side: string, amount: string, answer: string]>([
    [0, 'buy', '0.01', 'verification_required'],
    [0, 'sell', '0.01', 'verification_required'],
    [1, 'buy', '0.0399996', 'placed'],
    [1, 'buy', '0.03999961', 'order_limit amount 2000'],
    [1, 'sell', '0.0399996', 'placed'],
    [1, 'sell', '0.04', 'order_limit amount 2000'],
    [2, 'buy', '1.99998', 'placed'],
    [2, 'buy', '1.9999801', 'order_limit amount 100000'],
  ])('level %i, %s %s BTC: %s', async (level, side, amount, answer) => {
    const uid = await on.stage.user({ level })
    for (const [code, sum] of Object.entries({ USDT: '200000', BTC: '3' })) await on.stage.credit(uid, code, sum)
    const said = await on.order(uid, await on.offer({ side }), amount).then(
      () => 'placed',
      (error: unknown) => {
        if (!(error instanceof ApiProblem)) throw error
        return [error.code, error.field, error.values?.limit].filter(Boolean).join(' ')
      },
    )
    expect(said).toBe(answer)
    if (said !== 'placed') expect(await on.stage.has(uid, 'USDT')).toBe('200000/0')
  })
})
