import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { type FollowStage, openFollowStage } from '#tests/support/databases/follow-stage.ts'
import { refused } from '#tests/support/databases/wallet-stage.ts'
import { inputs } from '#tests/support/right-inputs.ts'

onEngines('lists and files of copies', (engine) => {
  let stage: FollowStage
  beforeAll(async () => {
    stage = await openFollowStage(engine)
    await stage.started()
  })
  afterAll(() => stage.stop())

  const opens = (uid: number, lots: string) =>
    stage.call('lever.orderOpen', uid, { match_id: 'BTCUSDT', side: 'long', lots, multiple: '20' })
  const follows = (uid: number, trader: number) =>
    stage.follow('follow.follow', uid, { ...inputs['follow.follow'], trader_user_id: String(trader), number: '0.5' })
  /** The lots of the list, of which the file has the same rows. */
  async function found(uid: number, fields: Record<string, string>): Promise<string[]> {
    const { list, total } = await stage.follow('follow.copies', uid, fields)
    const file = await stage.follow('follow.exportCopies', uid, fields)
    expect([total, file.rows, file.cut]).toEqual([list.length, list.length, false])
    const [, ...lines] = file.text.split('\r\n').slice(0, -1)
    expect(lines.map((line) => Number(line.split(',')[0]))).toEqual(list.map(({ id }) => id))
    return list.map(({ lots }) => lots)
  }

  test('copies by state, trader and the time at which they were closed, else opened, and the same ones as a file', async () => {
    stage.tick('50000')
    const [trader, other] = [await stage.trader(), await stage.trader()]
    const [uid, stranger] = [await stage.customer('10000'), await stage.customer('10000')]
    for (const one of [trader, other]) await follows(uid, one)
    await follows(stranger, trader)
    const first = await opens(trader, '10')
    await stage.copied()
    const opened = stage.now()
    stage.tick('50000')
    await opens(trader, '4')
    await stage.copied()
    stage.tick('50000')
    await opens(other, '6')
    await stage.copied()
    stage.tick('51000')
    await stage.call('lever.close', trader, { id: String(first.id) })
    await stage.copied()
    const closed = stage.now()

    const [later, ofTrader, ofOther] = [String(opened + 1), String(trader), String(other)]
    expect(await found(uid, {})).toEqual(['3', '2'])
    expect(await found(uid, { status: 'closed' })).toEqual(['5'])
    expect(await found(uid, { trader_user_id: ofTrader })).toEqual(['2'])
    expect(await found(uid, { trader_user_id: ofOther })).toEqual(['3'])
    expect(await found(uid, { trader_user_id: ofOther, status: 'closed' })).toEqual([])
    expect(await found(uid, { trader_user_id: '1' })).toEqual([])
    expect(await found(stranger, { trader_user_id: ofOther })).toEqual([])
    expect(await found(uid, { from: String(opened + 1_001) })).toEqual(['3'])
    expect(await found(uid, { to: String(opened + 1_001) })).toEqual(['2'])
    expect(await found(uid, { status: 'closed', to: later })).toEqual([])
    expect(await found(uid, { status: 'closed', from: String(closed), to: String(closed + 1) })).toEqual(['5'])
    const reversed = { from: later, to: String(opened) }
    for (const call of ['follow.copies', 'follow.exportCopies'] as const)
      expect(await refused(stage.follow(call, uid, reversed)), call).toBe('range_reversed to')

    const [copy] = (await stage.follow('follow.copies', uid, { status: 'closed' })).list
    const [start, end] = [opened, closed].map((at) => new Date(at).toISOString())
    const fields = { status: 'closed', trader_user_id: ofTrader }
    const { text, name } = await stage.follow('follow.exportCopies', uid, fields, undefined, 'fr')
    expect(name).toBe(`tessera-copies-${end!.slice(0, 10)}.csv`)
    expect(text.split('\r\n')).toEqual([
      [
        ...['Numéro,Trader,Marché,Sens,Levier,Lots,Prix d’entrée,Prix de sortie,Gain ou perte,Frais,Frais overnight,Résultat net'],
        ...['État,Motif,Ouverture (UTC),Clôture (UTC)'],
      ].join(','),
      `${copy!.id},T${trader},BTC/USDT,Long,20,5,50000,51000,50,2.525,0,47.475,Clôturées,Clôturée avec le trader,${start},${end}`,
      '',
    ])
    const open = await stage.follow('follow.exportCopies', uid, { trader_user_id: ofOther })
    expect(open.text.split('\r\n')[1]).toMatch(/^\d+,T\d+,BTC\/USDT,Long,20,3,50000,,0,0.75,0,-0.75,Open,,2026-.*Z,$/)
    await expectSoundMoney(stage.database)
  })

  test('a file of more than 5,000 copies is cut, and holds the newest', async () => {
    stage.tick('50000')
    const trader = await stage.trader()
    const uid = await stage.customer('10000')
    await follows(uid, trader)
    await opens(trader, '10')
    await stage.copied()
    const { id } = (await stage.follow('follow.copies', uid)).list[0]!
    const { db } = stage.database
    // Positions that the ledger knows nothing of: the audit was before.
    const add = async (from: number, to: number) => {
      await sql`insert into lever_position overriding system value
        select (jsonb_populate_record(p, jsonb_build_object('id', 1000000 + n, 'opened', p.opened + n))).*
        from lever_position p, generate_series(${from}::int, ${to}::int) n where p.id = ${id}`.execute(db)
      await sql`insert into follow_copy (follow_id, trader_position, uid, position_id, state, reason, trader_lots, at)
        select follow_id, 1000000 + n, uid, 1000000 + n, state, reason, trader_lots, at
        from follow_copy c, generate_series(${from}::int, ${to}::int) n where c.position_id = ${id}`.execute(db)
    }
    await add(1, 4_999)
    expect(await stage.follow('follow.exportCopies', uid)).toMatchObject({ rows: 5_000, cut: false })
    await add(5_000, 5_000)
    const file = await stage.follow('follow.exportCopies', uid)
    expect(file).toMatchObject({ rows: 5_000, cut: true })
    expect(file.text).not.toContain(`\r\n${id},`)
  })
})
