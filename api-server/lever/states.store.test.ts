import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LeverState, leverStates } from '#contract/calls/lever.rows.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { type LeverStage, openLeverStage } from '#tests/support/databases/lever-stage.ts'
import { refused } from '#tests/support/databases/wallet-stage.ts'

const order = { match_id: 'BTCUSDT', side: 'long', lots: '10', multiple: '20' }

onEngines('states of contracts', (engine) => {
  let stage: LeverStage
  // No node acts on prices: what is marked as closing stays so.
  beforeAll(async () => {
    stage = await openLeverStage(engine)
  })
  afterAll(() => stage.stop())

  const marked = { state: 'closing', close_reason: 'take_profit', close_price: '50100', close_tick: 1 } as const
  /** A row of the state, of a customer of its own. */
  async function rowOf(state: LeverState): Promise<{ uid: number; id: string }> {
    stage.tick('50000')
    const uid = await stage.customer('1000')
    const waits = state === 'entrust' || state === 'cancelled'
    const { id } = await stage.call('lever.orderOpen', uid, waits ? { ...order, type: 'limit', price: '40000' } : order)
    if (state === 'cancelled') await stage.call('lever.cancel', uid, { id: String(id) })
    if (state === 'closed') await stage.call('lever.close', uid, { id: String(id) })
    if (state === 'closing') await stage.database.db.updateTable('lever_position').set(marked).where('id', '=', id).execute()
    expect(await stage.call('lever.order', uid, { id: String(id) })).toMatchObject({ status: state })
    return { uid, id: String(id) }
  }
  const stored = (id: string) =>
    stage.database.db.selectFrom('lever_position').selectAll().where('id', '=', Number(id)).executeTakeFirstOrThrow()

  const calls = {
    'lever.close': { for: ['open'], input: {} },
    'lever.reverse': { for: ['open'], input: {} },
    'lever.margin': { for: ['open'], input: { action: 'add', amount: '1' } },
    'lever.closeAtOpening': { for: ['open'], input: { wanted: '0' } },
    'lever.setStopPrice': { for: ['entrust', 'open'], input: { stop_loss_price: '30000' } },
    'lever.orderMove': { for: ['entrust'], input: { price: '41000' } },
    'lever.cancel': { for: ['entrust'], input: {} },
  } as const
  const names = Object.keys(calls) as (keyof typeof calls)[]
  test.each(leverStates.flatMap((state) => names.map((name) => [state, name] as const)))('%s: %s', async (state, name) => {
    const { uid, id } = await rowOf(state)
    const before = [await stored(id), await stage.has(uid)]
    const { for: allowed, input } = calls[name]
    const answer = await refused(stage.call(name, uid, { id, ...input }))
    if ((allowed as readonly LeverState[]).includes(state)) return expect(answer).toMatch(/^answered/)
    expect(answer).toBe('state_wrong')
    expect([await stored(id), await stage.has(uid)]).toEqual(before)
  })

  /** Columns that a row of the state must have. */
  const columnsOf = (state: LeverState): RawBuilder<unknown> => {
    const open = state === 'open' || state === 'closing' || state === 'closed'
    const ended = state === 'closed' || state === 'cancelled'
    const closes = state === 'closing' || state === 'closed'
    return sql`state = ${state}, held = ${state === 'entrust' ? 1 : 0}, margin = ${state === 'open' || state === 'closing' ? 1 : 0},
      open_price = ${open ? 50_000 : null}::numeric, ended = ${ended ? 1 : null}::bigint, close_reason = ${closes ? 'user' : null},
      close_tick = ${closes ? 1 : null}::bigint`
  }
  /** Does it to a row of that state, and undoes it. @returns the refusal of the database; 'done' without one */
  async function tried(id: string, from: LeverState, what: RawBuilder<unknown>): Promise<string> {
    const undone = new Error('done')
    const work = stage.database.transaction(async (tx) => {
      await sql`alter table lever_position disable trigger user`.execute(tx)
      await sql`update lever_position set ${columnsOf(from)} where id = ${id}`.execute(tx)
      await sql`alter table lever_position enable trigger user`.execute(tx)
      await sql`${what} where id = ${id}`.execute(tx)
      throw undone
    })
    return work.catch((error: Error) => error.message)
  }
  test('a position only becomes smaller, and only while it is open; another node may read it again when it has ended', async () => {
    const { id } = await rowOf('entrust')
    for (const state of leverStates) {
      expect(await tried(id, state, sql`update lever_position set xact = xact + 1`)).toBe('done')
      const refusal = 'a position only becomes smaller, while it is open'
      const [smaller, larger] = state === 'open' ? ['done', refusal] : state === 'entrust' || state === 'closing' ? [refusal, refusal] : []
      if (!larger) continue
      const to = state === 'closing' ? sql`${columnsOf('closed')},` : sql``
      expect(await tried(id, state, sql`update lever_position set ${to} lots = lots - 1`)).toBe(smaller)
      expect(await tried(id, state, sql`update lever_position set ${to} lots = lots + 1`)).toBe(larger)
    }
    expect(await tried(id, 'entrust', sql`update lever_position set price = 1`)).toBe('done')
    expect(await tried(id, 'open', sql`update lever_position set price = 1`)).toBe('a fixed column of lever_position does not change')
  })
})
