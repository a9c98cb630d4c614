import { randomUUID } from 'node:crypto'
import Big from 'big.js'
import { beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { amountMax } from '#api-server/wallet/amount.rules.ts'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { badInputs, nameOf } from '#tests/support/bad-inputs.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { openWalletStage, proofsOf, refused, type WalletStage } from '#tests/support/databases/wallet-stage.ts'

const numbers = ['num-sign', 'num-format', 'num-special', 'num-precision', 'num-range', 'num-unicode', 'num-type', 'int-id'] as const
const usdt = '3'
/** Parses a number of USDT without using the product's parser; undefined for no number. */
const amountOf = (typed: string): string | undefined => {
  if (!/^(?:0|[1-9]\d{0,19})(?:\.\d{1,8})?$/.test(typed)) return undefined
  const amount = new Big(typed)
  return amount.gt(0) && amount.lte(amountMax) ? amount.toFixed() : undefined
}
/** Refusals for business reasons. Every other refusal means that the text was not accepted as an amount. */
const business = /^(insufficient_balance|amount_too_small|withdraw_limit|fee_changed|too_many_open)\b/

/** Like `refused`, for a text that the contract may refuse as well. */
const outcomeOf = (asked: Promise<unknown>): Promise<string> =>
  refused(asked).catch((error: unknown) => (error instanceof z.ZodError ? 'unreadable' : Promise.reject(error)))

onEngines('amounts', (engine) => {
  let stage: WalletStage
  beforeAll(async () => {
    stage = await openWalletStage(engine)
  })
  const quoted = async (uid: number, from: string, to: string) => {
    const pair = { from_currency_id: from, to_currency_id: to }
    return { ...(await stage.call('wallet.getExchangeRate', uid, pair)), pair }
  }

  /** Sends an amount as typed. @returns the answer, and the ledger line that it must cause */
  type Ask = (uid: number, typed: string, address_id: string) => Promise<{ said: string; line: (amount: string) => string }>
  const asks: [name: string, ask: Ask][] = [
    [
      'a transfer',
      async (uid, amount) => ({
        said: await outcomeOf(stage.call('wallet.transfer', uid, { amount, currency_id: usdt, from: 'change', to: 'lever' }, randomUUID())),
        line: (sum) => `transfer lever:available USDT ${sum}`,
      }),
    ],
    [
      'a transfer by its other name',
      async (uid, number) => ({
        said: await outcomeOf(stage.call('user.Transfer', uid, { number, currency_id: usdt, from: 'change', to: 'legal' }, randomUUID())),
        line: (sum) => `transfer legal:available USDT ${sum}`,
      }),
    ],
    [
      'an exchange',
      async (uid, amount) => {
        const { quote_id, pair } = await quoted(uid, usdt, '1')
        return {
          said: await outcomeOf(stage.call('wallet.exchange', uid, { ...pair, amount, quote_id }, randomUUID())),
          line: (sum) => `exchange convert USDT ${sum}`,
        }
      },
    ],
    [
      'a withdrawal',
      async (uid, amount, address_id) => ({
        said: await outcomeOf(stage.call('wallet.withdraw', uid, { currency_id: usdt, amount, address_id, ...proofsOf }, randomUUID())),
        line: (sum) => `withdraw_request change:frozen USDT ${sum}`,
      }),
    ],
    [
      'the fee of a withdrawal',
      async (uid, fee, address_id) => ({
        said: await outcomeOf(
          stage.call('wallet.withdraw', uid, { currency_id: usdt, amount: '100', fee, address_id, ...proofsOf }, randomUUID()),
        ),
        line: () => 'withdraw_request change:frozen USDT 100',
      }),
    ],
    [
      'a recharge',
      async (uid, amount) => {
        const imgs = `/api/upload/${uid}-${randomUUID()}`
        const asked = outcomeOf(stage.call('wallet.recharge', uid, { amount, currency_id: usdt, chain: 'ERC20', imgs }, randomUUID()))
        const said = await asked
        if (said.startsWith('answered')) {
          const { id } = JSON.parse(said.slice('answered '.length)) as { id: number }
          await stage.decide('recharge', id, { action: 'approve', fourEyesUsd: '100000000000000000000' })
        }
        return { said, line: (sum) => `recharge change:available USDT ${sum}` }
      },
    ],
  ]

  test.each(asks)('as %s: each notation of a number is refused, or its exact value is in the ledger', async (_name, ask) => {
    const uid = await stage.user()
    await stage.credit(uid, 'USDT', '5000000')
    const address_id = await stage.address(uid)
    let [taken, turnedDown] = [0, 0]
    const exact = ['0.1', '0.2', '0.00000001', '12.34567891', '4', '4.0', '250', '100.10'].map((value) => ({
      kind: 'exact',
      value,
      note: 'accept',
    }))
    for (const line of [...badInputs(...numbers), ...exact]) {
      // A form sends text only. Other values are refused before this code.
      const typed = typeof line.value === 'object' ? JSON.stringify(line.value) : String(line.value)
      const before = await stage.lastEvent()
      const { said, line: expected } = await ask(uid, typed, address_id)
      const lines = await stage.lines(before)
      const read = amountOf(typed)
      if (said.startsWith('answered')) {
        taken++
        expect(read, nameOf(line)).toBeDefined()
        expect(lines, nameOf(line)).toContain(expected(read!))
      } else {
        turnedDown++
        expect(lines, nameOf(line)).toEqual([])
        if (read === undefined) expect(said, nameOf(line)).toMatch(/^amount_wrong|^unreadable$|^fee_changed fee$/)
        else expect(said, nameOf(line)).toMatch(business)
      }
    }
    expect(taken).toBeGreaterThan(0)
    expect(turnedDown).toBeGreaterThan(60)
  })

  test('0.1 and 0.2 add up to 0.3 in the ledger and in the answer', async () => {
    const uid = await stage.user()
    await stage.credit(uid, 'USDT', '1')
    for (const amount of ['0.1', '0.2'])
      await stage.call('wallet.transfer', uid, { amount, currency_id: usdt, from: 'change', to: 'lever' }, randomUUID())
    expect(await stage.has(uid, 'USDT', 'lever')).toBe('0.3/0')
    expect((await stage.call('wallet.getBalance', uid, { currency_id: usdt, account: 'lever' })).available).toBe('0.3')
    expect((await stage.call('wallet.getBalance', uid, { currency_id: usdt, account: 'change' })).available).toBe('0.7')
  })

  test('exchanging the smallest amount of every currency to every other and back never gains', async () => {
    const coins = (await stage.coins.list()).filter(({ code }) => stage.idOf(code) !== undefined)
    expect(coins.length).toBeGreaterThan(5)
    for (const from of coins) {
      for (const to of coins) {
        if (from.id === to.id) continue
        const uid = await stage.user()
        const there = await quoted(uid, String(from.id), String(to.id))
        await stage.credit(uid, from.code, there.min)
        const paid = { ...there.pair, amount: there.min, quote_id: there.quote_id }
        const { received } = await stage.call('wallet.exchange', uid, paid, randomUUID())
        const back = await quoted(uid, String(to.id), String(from.id))
        const said = await outcomeOf(
          stage.call('wallet.exchange', uid, { ...back.pair, amount: received, quote_id: back.quote_id }, randomUUID()),
        )
        // The result of the smallest amount may be too small to exchange back; then it is worth less anyway.
        const again = said.startsWith('answered')
          ? (JSON.parse(said.slice('answered '.length)) as { received: string }).received
          : undefined
        if (again === undefined) expect(said).toMatch(/^amount_too_small/)
        const worth = again ?? new Big(received).times(back.net_rate).toFixed()
        expect(new Big(worth).lt(there.min), `${from.code} ${to.code} ${there.min} ${worth}`).toBe(true)
      }
    }
  })

  test('after these tests the ledger agrees with the records', () => expectSoundMoney(stage.database).then(() => undefined))
})
