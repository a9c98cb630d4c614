import { freeze, type LedgerEvent, release } from '#api-server/ledger/ledger.ts'
import { fundingAccount, sealDetails, type WalletContext } from '#api-server/wallet/context.ts'
import type { NewFunding } from '#api-server/wallet/deposit/funding.store.ts'
import { maskAddress } from '#api-server/wallet/withdraw/address.rules.ts'
import type { AccountKind } from '#contract/accounts.ts'
import { foldAddress } from '#contract/rules/payment.rules.ts'
import { type Tx, writeAny } from '#server-kit/db/db.ts'

const dayMs = 24 * 3_600_000
const daysAgo = { money: 10, address: 9, recharge: 8, transfer: 6, withdraw: 4, cancelled: 2 } as const

/** Account, currency, amount. */
const gifts: readonly (readonly [AccountKind, string, string])[] = [
  ['change', 'USDT', '25000'],
  ['change', 'BTC', '0.8'],
  ['change', 'ETH', '6'],
  ['change', 'SOL', '40'],
  ['change', 'XRP', '3000'],
  ['legal', 'USDT', '5000'],
  ['lever', 'USDT', '10000'],
  ['micro', 'USDT', '2000'],
]
/** Nobody has the private key of this address. */
const address = `0x${'de30'.repeat(10)}`
const chain = 'ERC20'
const by = 'demo'

/** Gives an account demonstration money and a short history, once, from `external_in` with an event kind of its own. */
export async function seedDemoMoney(context: WalletContext, uid: number): Promise<void> {
  const { database, clock, coins, ledger, funding, addresses, moves, secrets, custody } = context
  const list = new Map((await coins.list()).map((coin) => [coin.code, coin.id]))
  const found = list.get('USDT')
  if (found === undefined) return
  const usdt: number = found
  const now = clock.now()
  const at = (name: keyof typeof daysAgo, later = 0) => now - daysAgo[name] * dayMs + later
  const deposit = await custody.addressFor(uid, 'USDT', chain)

  async function give(tx: Tx): Promise<void> {
    for (const [kind, code, amount] of gifts) {
      const currency = list.get(code)
      if (currency === undefined) continue
      await ledger.post(tx, {
        kind: 'demo',
        source: `demo:${uid}:${kind}:${code}`,
        uid,
        at: at('money'),
        postings: [
          { account: { platform: 'external_in' }, currency, amount: `-${amount}` },
          { account: { uid, kind, part: 'available' }, currency, amount },
        ],
      })
    }
  }

  function record(type: 'recharge' | 'withdraw', amount: string, fee: string, received: string, created_at: number): NewFunding {
    const about = { uid, currency_id: usdt, created_at }
    const place = type === 'recharge' ? deposit : address
    return {
      ...about,
      type,
      channel: type === 'recharge' ? 'voucher' : 'address',
      chain,
      target: maskAddress(place),
      images: '[]',
      amount,
      fee,
      received,
      usd: amount,
      btc: '0',
      status: 'reviewing',
      details: sealDetails(secrets, about, [{ field: 'address', value: place }]),
    }
  }

  async function past(tx: Tx): Promise<void> {
    const minute = 60_000
    const post = (kind: LedgerEvent['kind'], source: string, time: number, postings: LedgerEvent['postings']) =>
      ledger.post(tx, { kind, source, uid, at: time, postings })
    const mine = (currency: number, amount: string, kind: AccountKind = fundingAccount) =>
      ({ account: { uid, kind, part: 'available' }, currency, amount }) as const

    const recharge = await funding.create(tx, record('recharge', '1500', '0', '1500', at('recharge')), 'customer')
    const credited = { status: 'credited', decided_by: by } as const
    await funding.move({ tx, by, at: at('recharge', 12 * minute) }, recharge, credited, '')
    const outside = { account: { platform: 'external_in' }, currency: usdt, amount: '-1500' } as const
    await post('recharge', `recharge:${recharge.id}`, at('recharge', 12 * minute), [outside, mine(usdt, '1500')])

    const moved = { uid, currency_id: usdt, from_kind: 'change', to_kind: 'lever', amount: '500', created_at: at('transfer') } as const
    const transfer = await moves.transfer(tx, moved)
    await post('transfer', `transfer:${transfer}`, at('transfer'), [mine(usdt, '-500'), mine(usdt, '500', 'lever')])

    const sent = await funding.create(tx, record('withdraw', '200', '4', '196', at('withdraw')), 'customer')
    await post('withdraw_request', `withdraw:${sent.id}`, at('withdraw'), freeze(uid, fundingAccount, usdt, '200'))
    const decided = { decided_by: by }
    const steps = [
      { change: { status: 'approved', ...decided }, later: 20 },
      { change: { status: 'sent', reference: `DEMO-${sent.id}` }, later: 30 },
      { change: { status: 'done' }, later: 45 },
    ] as const
    let row = sent
    for (const { change, later } of steps) row = await funding.move({ tx, by, at: at('withdraw', later * minute) }, row, change, '')
    await post('withdraw_done', `withdraw:${sent.id}`, at('withdraw', 45 * minute), [
      { account: { uid, kind: fundingAccount, part: 'frozen' }, currency: usdt, amount: '-200' },
      { account: { platform: 'external_out' }, currency: usdt, amount: '196' },
      { account: { platform: 'fee' }, currency: usdt, amount: '4' },
    ])

    const back = await funding.create(tx, record('withdraw', '80', '4', '76', at('cancelled')), 'customer')
    await post('withdraw_request', `withdraw:${back.id}`, at('cancelled'), freeze(uid, fundingAccount, usdt, '80'))
    await funding.move({ tx, by: 'customer', at: at('cancelled', 3 * minute) }, back, { status: 'cancelled' }, '')
    await post('withdraw_cancel', `withdraw:${back.id}`, at('cancelled', 3 * minute), release(uid, fundingAccount, usdt, '80'))
  }

  await database.transaction(async (tx) => {
    const fresh = await writeAny(
      tx
        .insertInto('wallet_demo')
        .values({ uid, created_at: now })
        .onConflict((conflict) => conflict.doNothing()),
    )
    if (!fresh) return
    await give(tx)
    await past(tx)
    await addresses.create(tx, {
      uid,
      currency_id: usdt,
      chain,
      name: 'Demo',
      address,
      folded: foldAddress('evm', address),
      qrcode: `ethereum:${address}`,
      usable_from: at('address') + dayMs,
      created_at: at('address'),
    })
  })
}
