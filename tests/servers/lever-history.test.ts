import Big from 'big.js'
import { expect, test } from 'vitest'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { createLeverModel, type ModelOrder } from '#tests/support/databases/lever-model.ts'
import { openLeverStage } from '#tests/support/databases/lever-stage.ts'
import { chance, isFull, sized, withSeed } from '#tests/support/house/sizes.ts'

const hourMs = 3_600_000
const steps = sized(120, 1_200)
const people = 3

onEngines('whole histories of contracts', (engine) => {
  test.each(['0', '0.0004'])('what is done at random ends as a slow model says, with a spread of %s', async (spread) => {
    const stage = await openLeverStage(engine)
    const draw = chance()
    try {
      await stage.setTerms({ spread })
      await stage.started()
      const { tick, priceScale } = stage.trading.instrument('BTCUSDT')
      const { lot_size, fee_rate, maintenance_rate, overnight_rate } = stage.trading.terms('contract', 'BTCUSDT').terms
      const model = createLeverModel({ lot_size, fee_rate, maintenance_rate, overnight_rate, spread, tick, priceScale, coinScale: 8 })
      const uids: number[] = []
      for (let at = 0; at < people; at++) {
        uids.push(await stage.customer('20000'))
        model.customer(uids[at]!, '20000')
      }
      let price = 50_000
      const done = new Map<string, number>()
      const count = (what: string) => void done.set(what, (done.get(what) ?? 0) + 1)
      const near = (share: number) => (price * (1 + (draw.next() - 0.5) * 2 * share)).toFixed(2)

      async function pushed(afterMs: number): Promise<void> {
        const share = draw.below(8) ? 0.004 : 0.03
        price = Number(near(share))
        if (price < 20_000 || price > 120_000) price = 50_000
        stage.tick(price.toFixed(2), 'BTCUSDT', afterMs)
        model.tick(price.toFixed(2), stage.now())
        await stage.settled()
        // Nights that are over are paid, and may be what ends a position.
        await stage.lever.runner.look()
        await stage.settled()
      }
      const answered = (asked: Promise<unknown>) =>
        asked.then(
          () => true,
          (error: { code?: string }) => {
            if (typeof error.code !== 'string') throw error
            return false
          },
        )
      async function act(): Promise<void> {
        const uid = draw.of(uids)
        const [open, waiting] = [model.ids(uid, 'open'), model.ids(uid, 'entrust')]
        const what = draw.of([
          'order',
          'order',
          'limit',
          'limit',
          'close',
          'part',
          'stops',
          'stops',
          'add',
          'remove',
          'move',
          'cancel',
        ] as const)
        const mine = what === 'cancel' || what === 'move' ? waiting : what === 'stops' ? [...open, ...waiting] : open
        if (what === 'order' || what === 'limit') {
          const side = draw.of(['long', 'short'] as const)
          const order: ModelOrder = { side, multiple: draw.of([10, 20, 50, 100]), lots: String((1 + draw.below(2_000)) / 100) }
          if (what === 'limit') order.limit = near(0.01)
          if (draw.below(2)) order.tp = near(0.02)
          if (draw.below(2)) order.sl = near(0.02)
          const keep = model.order(uid, order, stage.now())
          const { multiple, lots, limit, tp, sl } = order
          const fields = {
            match_id: 'BTCUSDT',
            side,
            multiple: String(multiple),
            lots,
            ...(limit !== undefined && { type: 'limit', price: limit }),
            ...(tp !== undefined && { target_profit_price: tp }),
            ...(sl !== undefined && { stop_loss_price: sl }),
          }
          let id = 0
          const isAnswered = await answered(stage.call('lever.orderOpen', uid, fields).then((row) => void (id = row.id)))
          expect(isAnswered, `${what} ${JSON.stringify(fields)} at ${price}`).toBe(keep !== undefined)
          keep?.(id)
          return count(`${what} ${isAnswered}`)
        }
        if (!mine.length) return
        const id = draw.of(mine)
        const row = model.row(id)
        const amount = (draw.next() * 300).toFixed(draw.of([0, 2, 8]))
        const part = new Big(row.lots.toFixed()).times(draw.next()).round(2, Big.roundUp).toFixed()
        const set = { tp: draw.below(4) ? near(0.02) : '', sl: draw.below(4) ? near(0.02) : '' }
        const to = near(0.01)
        const [name, fields, isAllowed] = {
          close: () => ['lever.close', {}, model.close(uid, id)] as const,
          part: () => ['lever.close', { lots: part }, model.close(uid, id, part)] as const,
          stops: () => ['lever.setStopPrice', { target_profit_price: set.tp, stop_loss_price: set.sl }, model.stops(uid, id, set)] as const,
          add: () => ['lever.margin', { action: 'add', amount }, Number(amount) > 0 && model.margin(uid, id, 'add', amount)] as const,
          remove: () =>
            ['lever.margin', { action: 'remove', amount }, Number(amount) > 0 && model.margin(uid, id, 'remove', amount)] as const,
          move: () => ['lever.orderMove', { price: to }, model.move(uid, id, to, stage.now())] as const,
          cancel: () => ['lever.cancel', {}, model.cancel(uid, id)] as const,
        }[what]()
        const isAnswered = await answered(stage.call(name, uid, { id: String(id), ...(fields as Record<string, string>) }))
        expect(isAnswered, `${what} ${id} ${JSON.stringify(fields)} at ${price}`).toBe(isAllowed)
        count(`${what} ${isAnswered}`)
      }
      const text = (amount: string | null) => (amount === null ? '-' : new Big(amount).toFixed())
      async function lines(): Promise<string[]> {
        const rows = await stage.database.db.selectFrom('lever_position').selectAll().orderBy('id').execute()
        const money: string[] = []
        for (const uid of uids) money.push(`${uid} ${await stage.has(uid)}`)
        for (const name of ['fee', 'pnl_contract', 'insurance']) {
          const { balance } = await stage.database.db
            .selectFrom('ledger_account')
            .select((of) => of.fn.coalesce(of.fn.sum<string>('balance'), of.val('0')).as('balance'))
            .where('key', 'like', `${name}#%`)
            .executeTakeFirstOrThrow()
          money.push(`${name} ${text(balance)}`)
        }
        return [
          ...rows.map((row) =>
            [
              ...[row.id, row.state, row.close_reason ?? row.cancel_reason ?? '', text(row.lots), text(row.margin), text(row.held)],
              ...[text(row.liquidation), text(row.profit), text(row.fee), text(row.overnight), text(row.result)],
            ].join(' '),
          ),
          ...money,
        ]
      }

      /**
       * Checks the closings that customers see: the tick reached the level of the closing, and fees are shared out among the closings of a
       * position, and their results add up to its own.
       */
      async function provesClosings(): Promise<void> {
        for (const uid of uids) {
          const ended = await stage.call('lever.orderList', uid, { status: 'history', size: '100' })
          for (const { id, side, overnight, fee, result } of ended.list) {
            const { list } = await stage.call('lever.history', uid, { position_id: String(id), size: '100' })
            const sumOf = (of: (one: (typeof list)[number]) => string[]) =>
              list
                .flatMap(of)
                .reduce((all, one) => all.plus(one), new Big(0))
                .toFixed()
            const sums = [sumOf((one) => [one.overnight]), sumOf((one) => [one.fee, one.open_fee]), sumOf((one) => [one.result])]
            expect(sums, `closings of ${id}`).toEqual([overnight, fee, result].map(text))
            for (const one of list) {
              const { tick, level, open_tick, ...shown } = await stage.call('lever.closing', uid, { id: String(one.id) })
              expect(shown).toMatchObject(one)
              expect(tick.tick_id).toBe(one.tick_id)
              expect(open_tick.tick_id).toBeLessThanOrEqual(tick.tick_id)
              expect(level === null).toBe(one.reason === 'user')
              if (level === null) continue
              const isAbove = new Big(tick.price).gte(level)
              const isReached = (one.reason === 'take_profit') === (side === 'long') ? isAbove : new Big(tick.price).lte(level)
              expect(isReached, `${one.reason} of ${id} at ${tick.price}, level ${level}`).toBe(true)
            }
          }
        }
      }

      await withSeed(draw, async () => {
        await pushed(1_000)
        for (let at = 0; at < steps; at++) {
          await act()
          if (draw.below(2)) await pushed(draw.below(12) ? 1_000 : draw.of([hourMs, 9 * hourMs, 24 * hourMs, 60 * hourMs]))
          else await pushed(1)
          expect(await lines(), `after step ${at}`).toEqual(model.lines())
        }
        await provesClosings()
        await expectSoundMoney(stage.database)
      })
      expect(done.get('order true') ?? 0).toBeGreaterThan(0)
      if (!isFull) return
      // Events that occur in every history of this length.
      const ends = new Set(model.all().map(({ state, reason }) => `${state} ${reason}`))
      const closed = ['user', 'stop_loss', 'take_profit', 'liquidated'].map((reason) => `closed ${reason}`)
      expect([...ends]).toEqual(expect.arrayContaining([...closed, 'cancelled user']))
      for (const what of ['limit', 'close', 'part', 'stops', 'add', 'remove', 'move'])
        expect(done.get(`${what} true`), what).toBeGreaterThan(0)
    } finally {
      await stage.stop()
    }
  })
})
