import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { noticeLimits } from '#api-server/notices/notices.ts'
import { type NoticeRow, noticeCalls, unreadMost } from '#contract/calls/notice.calls.ts'
import { kindOf, type Notice, noticeKindNames } from '#contract/calls/notice.kinds.ts'
import { onBothEngines } from '#tests/support/databases/engines.ts'
import { openWalletStage, type WalletStage } from '#tests/support/databases/wallet-stage.ts'

const samples = {
  symbol: 'BTCUSDT',
  market: 'BTC/USDT',
  name: 'Ann',
  reason: 'blurred',
  coin: 'USDT',
  amount: '100',
  result: '-12.5',
  price: '50000.01',
}
/** A notice of a kind with all of its figures. */
const noticeOf = (kind: Notice['kind'], subject = 7): Notice => {
  const { figures, words } = kindOf(kind)
  return { kind, subject, word: words?.[0], figures: Object.fromEntries(figures.map((name) => [name, samples[name]])) } as unknown as Notice
}
const callerOf = (uid: number) => ({ lang: 'en', token: 't', agent: '', ip: '', user: { uid, session: 's' } })

onBothEngines('notices', (engine) => {
  let stage: WalletStage
  beforeAll(async () => {
    stage = await openWalletStage(engine)
  })
  afterAll(() => stage.database.close())

  const { output } = noticeCalls['notice.list']
  const list = async (uid: number, fields: Record<string, string> = {}): Promise<NoticeRow[]> =>
    output.parse(
      await stage.noticed.notices.handlers['notice.list'](
        noticeCalls['notice.list'].input.parse({ size: '100', ...fields }),
        callerOf(uid),
      ),
    ).list
  const unread = async (uid: number) => (await stage.noticed.notices.handlers['notice.unread']({}, callerOf(uid))).unread
  const notify = (uid: number, ...notices: Notice[]) =>
    stage.database.transaction((tx) =>
      stage.notices.notifyAll(
        tx,
        notices.map((notice) => ({ ...notice, uid })),
      ),
    )
  const pushed = () => stage.noticed.pushed.splice(0)

  test('notices of all kinds are kept newest first, as the call describes them', async () => {
    const uid = await stage.user()
    pushed()
    await notify(uid, ...noticeKindNames.map((kind, at) => noticeOf(kind, at + 1)))
    const rows = await list(uid)
    expect(rows.map(({ kind }) => kind)).toEqual([...noticeKindNames].reverse())
    expect(rows.at(-1)).toMatchObject({
      kind: 'option_won',
      sentence: 'option_won',
      group: 'trade',
      tone: 'success',
      link: 'pages/transaction/seconds_order?symbol=BTCUSDT&order=1',
      figures: { amount: '100', result: '-12.5', coin: 'USDT', market: 'BTC/USDT' },
      toast: true,
      seen: null,
      time: stage.clock.now(),
    })
    expect(rows.find(({ kind }) => kind === 'withdraw_requested')).toMatchObject({ toast: false, group: 'funds' })
    expect(rows.find(({ kind }) => kind === 'copy_skipped')).toMatchObject({ sentence: 'copy_skipped_balance' })
    expect(pushed()).toEqual(rows.map(({ sentence }) => `${uid} notices insert ${sentence}`).reverse())
    expect(new Set((await list(uid, { group: 'funds' })).map(({ group }) => group))).toEqual(new Set(['funds']))
    expect((await list(uid, { group: 'account' })).length).toBe(rows.filter(({ group }) => group === 'account').length)
    expect(await list(await stage.user())).toEqual([])
  })

  test('a notice goes out by mail where its kind says so, in the language of its customer', async () => {
    const uid = await stage.user()
    await sql`update account set email = 'ann@mail.example', lang = 'ja' where id = ${uid}`.execute(stage.database.db)
    stage.noticed.mails.splice(0)
    await notify(uid, ...(['option_won', 'withdraw_sent', 'level_failed', 'email_changed'] as const).map((kind) => noticeOf(kind)))
    const time = `${new Date(stage.clock.now()).toISOString().slice(0, 16).replace('T', ' ')} UTC`
    const message = (key: string, values: Record<string, string>, words = 'news') => ({
      channel: 'mail',
      to: 'ann@mail.example',
      lang: 'ja',
      subject: { key: `${words}_subject` },
      text: { key: `${words}_text`, values: { what: { key, values }, time } },
    })
    expect(stage.noticed.mails).toEqual([
      { kind: 'notice:withdraw_sent', ...message('sentence_withdraw_sent', { amount: '100 USDT' }) },
      { kind: 'notice:level_failed', ...message('sentence_level_failed_1', { reason: 'blurred' }) },
      { kind: 'notice:email_changed', ...message('sentence_email_changed_first', {}, 'alarm') },
    ])
  })

  test('what is rolled back was told to nobody', async () => {
    const uid = await stage.user()
    pushed()
    stage.noticed.mails.splice(0)
    const failed = stage.database.transaction(async (tx) => {
      await stage.notices.notify(tx, uid, noticeOf('recharge_credited'))
      throw new Error('rolled back')
    })
    await expect(failed).rejects.toThrow('rolled back')
    expect([await list(uid), await unread(uid), pushed()]).toEqual([[], 0, []])
  })

  test('a transaction that runs again tells once', async () => {
    const uid = await stage.user()
    pushed()
    let runs = 0
    await stage.database.transaction(async (tx) => {
      await stage.notices.notify(tx, uid, noticeOf('recharge_credited'))
      if (++runs === 1) throw Object.assign(new Error('again'), { code: '40001' })
    })
    expect([runs, (await list(uid)).length, pushed()]).toEqual([2, 1, [`${uid} notices insert recharge_credited`]])
  })

  test('a notice is seen once, and by its customer alone', async () => {
    const [uid, other] = [await stage.user(), await stage.user()]
    await notify(uid, noticeOf('option_won'), noticeOf('option_lost'))
    const [, first] = await list(uid)
    pushed()
    const see = (who: number, id: number) => stage.noticed.notices.handlers['notice.seen']({ id }, callerOf(who))
    await expect(see(other, first!.id)).rejects.toMatchObject({ code: 'not_found', field: 'id' })
    stage.later(1_000)
    expect(await see(uid, first!.id)).toEqual({ unread: 1 })
    const at = stage.clock.now()
    stage.later(1_000)
    expect(await see(uid, first!.id)).toEqual({ unread: 1 })
    expect((await list(uid)).map(({ seen, rev }) => [seen, rev])).toEqual([
      [null, 1],
      [at, 2],
    ])
    expect(pushed()).toEqual([`${uid} notices update option_won`])
  })

  test('all that a customer sees are seen at once, and later ones are not', async () => {
    const uid = await stage.user()
    await notify(uid, ...Array.from({ length: unreadMost + 5 }, (_, at) => noticeOf('option_won', at + 1)))
    expect(await unread(uid)).toBe(unreadMost)
    const [newest] = await list(uid)
    await notify(uid, noticeOf('option_lost'))
    pushed()
    const seeAll = (until?: number) => stage.noticed.notices.handlers['notice.seenAll']({ until }, callerOf(uid))
    expect([await seeAll(newest!.id), await seeAll(newest!.id)]).toEqual([{ unread: 1 }, { unread: 1 }])
    expect(pushed()).toEqual([`${uid} notices all`])
    expect(await seeAll()).toEqual({ unread: 0 })
    expect((await list(uid)).every(({ seen }) => seen !== null)).toBe(true)
  })

  test('notices are kept for 180 days', async () => {
    const uid = await stage.user()
    await notify(uid, noticeOf('option_won'))
    stage.later(noticeLimits.keptMs)
    await notify(uid, noticeOf('option_lost'))
    await stage.noticed.notices.removeOld()
    expect((await list(uid)).map(({ kind }) => kind)).toEqual(['option_lost', 'option_won'])
    stage.later(1)
    await stage.noticed.notices.removeOld()
    expect((await list(uid)).map(({ kind }) => kind)).toEqual(['option_lost'])
    stage.later(-noticeLimits.keptMs - 1)
  })

  test('old notices of all customers go, also more than are removed at once, and no others', async () => {
    const [uid, other] = [await stage.user(), await stage.user()]
    const old = noticeLimits.purgeRows * 2 + 3
    const edge = stage.clock.now() - noticeLimits.keptMs
    await sql`insert into customer_notice (uid, kind, subject, figures, created_at, seen_at)
      select case when n % 2 = 0 then ${uid}::bigint else ${other} end, 'option_lost', n, '{}', ${edge}::bigint - n, case when n % 3 = 0 then ${edge}::bigint end
      from generate_series(1, ${old}) n`.execute(stage.database.db)
    const figures = { symbol: 'BTCUSDT', market: 'BTC/USDT', amount: '1', coin: 'USDT' }
    await notify(uid, { kind: 'option_draw', subject: 1, figures })
    await notify(other, { kind: 'option_void', subject: 2, figures })
    await sql`update customer_notice set created_at = ${edge}, seen_at = ${edge} where uid = ${other} and subject = 2`.execute(
      stage.database.db,
    )
    await stage.noticed.notices.removeOld()
    const { rows } = await sql`select uid, kind, subject, created_at, seen_at from customer_notice
      where uid in (${uid}, ${other}) or created_at < ${edge} order by uid`.execute(stage.database.db)
    expect(rows).toEqual([
      { uid, kind: 'option_draw', subject: 1, created_at: stage.clock.now(), seen_at: null },
      { uid: other, kind: 'option_void', subject: 2, created_at: edge, seen_at: edge },
    ])
  })
})
