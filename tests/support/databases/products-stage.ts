import { sql } from 'kysely'
import { bankHandlers } from '#api-server/bank/bank.handlers.ts'
import { createIdempotency } from '#api-server/idempotency/keys.ts'
import { identityHandlers } from '#api-server/identity/identity.handlers.ts'
import { products } from '#api-server/products.ts'
import type { CallRow } from '#contract/call.ts'
import { type CallName, type CallOutput, contract } from '#contract/contract.ts'
import type { Handler } from '#server-kit/http/http.ts'
import { type Bus, createLocalBus } from '#server-kit/ops/bus.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { followStageOn } from '#tests/support/databases/follow-stage.ts'
import { kitStageOn } from '#tests/support/databases/kit-stage.ts'
import { leverStageOn } from '#tests/support/databases/lever-stage.ts'
import { micStageOn } from '#tests/support/databases/mic-stage.ts'
import { otcStageOn } from '#tests/support/databases/otc-stage.ts'
import { openSpotNode } from '#tests/support/databases/spot-stage.ts'
import type { WalletStage } from '#tests/support/databases/wallet-stage.ts'
import { dualOn } from '#tests/support/dual-stage.ts'
import { eventually } from '#tests/support/eventually.ts'
import { ieoOn } from '#tests/support/ieo-stage.ts'
import { miningOn } from '#tests/support/mining-stage.ts'

/** So many orders of spot trading are decided at a time; the others hear of it over the bus. */
const spotNodesMost = 2

/**
 * All products over the wallet stage, on as many nodes as it has: contracts, seconds options and copy trading on one market, spot trading, OTC,
 * identity and bank cards. Bitcoin costs 50,000, and contracts act on prices.
 */
export async function productsOn(wallet: WalletStage, nodes: number) {
  const stage = await productsFor(wallet, { nodes })
  stage.lever.tick('50000')
  await stage.lever.started()
  for (const { spot } of stage.spots) await spot.start()
  await eventually(() => stage.spots.some(({ spot }) => spot.matcher.leads())).toBe(true)
  return stage
}

/**
 * The same before anything of it is started.
 * @param own connects it with other stages on the database
 */
export async function productsFor(wallet: WalletStage, { nodes = 1, bus: own }: { nodes?: number; bus?: Bus } = {}) {
  const { database, clock, secrets, proofs, notices } = wallet
  const log = createLog('silent')
  const lever = await leverStageOn(database, { nodes, startAt: wallet.now(), ...(own && { bus: own }) })
  const follow = followStageOn(lever, proofs)
  const mic = await micStageOn(wallet, { nodes, of: lever })
  const otc = otcStageOn(wallet, nodes)
  const kit = await kitStageOn(wallet, products, { nodes, of: lever })
  const dual = dualOn(kit, nodes)
  const ieo = ieoOn(kit, nodes)
  const mining = miningOn(kit)
  const bus = own ?? { ...createLocalBus(log), shared: nodes > 1 }
  const spots = [await openSpotNode(database, { bus, secrets, clock })]
  while (spots.length < Math.min(nodes, spotNodesMost)) spots.push(await openSpotNode(database, { bus, secrets, clock }))
  const papers = Array.from({ length: nodes }, () => {
    const deps = { database, clock, log, secrets, proofs, notices, once: createIdempotency({ database, clock, secrets, log }) }
    const claim = async (_uid: number, address: string) => address
    return { ...bankHandlers(deps), ...identityHandlers({ ...deps, claim, limits: async () => [], changed: () => {} }) }
  })

  /** A call of any product at a node. */
  function callAt<N extends CallName>(node: number, name: N, uid: number, fields: Record<string, string>, key?: string) {
    const at = node % nodes
    const made = async (): Promise<unknown> => {
      const [area] = name.split('.')
      if (area === 'lever') return lever.callAt(at, name as 'lever.close', uid, fields, key)
      if (area === 'mic') return mic.callAt(at, name as 'mic.orderOpen', uid, fields, { key })
      if (area === 'follow') return follow.followAt(at, name as 'follow.follow', uid, fields, key)
      if (area === 'otc') return otc.callAt(at, name as 'otc.order', uid, fields, key)
      if (area === 'c2c') return spots[at % spots.length]!.call(name, uid, fields, key)
      if (kit.answers(name)) return kit.callAt(at, name, uid, fields, key)
      const own = papers[at] as unknown as Record<string, Handler<CallRow>>
      if (!own[name]) return wallet.callAt(at, name, uid, fields, key)
      const row: CallRow = contract[name]
      const caller = { lang: 'en', token: 't', agent: '', ip: '127.0.0.1', user: { uid, session: 's' }, ...(key !== undefined && { key }) }
      return row.output.parse(await own[name](row.input.parse(fields), caller))
    }
    return made() as Promise<CallOutput<N>>
  }

  return {
    wallet,
    lever,
    follow,
    mic,
    otc,
    kit,
    dual,
    ieo,
    mining,
    spots,
    callAt,
    call: <N extends CallName>(name: N, uid: number, fields: Record<string, string> = {}) => callAt(0, name, uid, fields),
    /** How many rows of each kind a customer has, and all their balances: `lever_position open`, `balance change:available 3`. */
    async holdings(uid: number): Promise<Record<string, string>> {
      const { rows } = await sql<{ what: string; value: string }>`
        select 'event ' || kind as what, count(*)::text as value from ledger_event where uid = ${uid} group by 1
        union all select 'balance ' || kind || ':' || part || ' ' || currency, trim_scale(balance)::text from ledger_account where uid = ${uid}
        union all select 'funding ' || type || ' ' || status, count(*)::text from funding where uid = ${uid} group by 1
        union all select 'lever_position ' || state, count(*)::text from lever_position where uid = ${uid} group by 1
        union all select 'lever_close ' || reason, count(*)::text from lever_close where uid = ${uid} group by 1
        union all select 'lever_margin', count(*)::text from lever_margin where uid = ${uid} having count(*) > 0
        union all select 'option_order ' || status, count(*)::text from option_order where uid = ${uid} group by 1
        union all select 'spot_order ' || status, count(*)::text from spot_order where uid = ${uid} group by 1
        union all select 'follow ' || state, count(*)::text from follow where uid = ${uid} group by 1
        union all select 'follow_copy ' || state, count(*)::text from follow_copy where uid = ${uid} group by 1
        union all select 'trader_application ' || status, count(*)::text from trader_application where uid = ${uid} group by 1
        union all select 'otc_order ' || status, count(*)::text from otc_order where uid = ${uid} group by 1
        union all select 'dual_order ' || status, count(*)::text from dual_order where uid = ${uid} group by 1
        union all select 'ieo_order ' || status, count(*)::text from ieo_order where uid = ${uid} group by 1
        union all select 'verification ' || level || ' ' || status, count(*)::text from verification where uid = ${uid} group by 1
        union all select 'bank_card ' || kind, count(*)::text from bank_card where uid = ${uid} group by 1`.execute(database.db)
      return Object.fromEntries(rows.map(({ what, value }) => [what, value]))
    },
    async stop(): Promise<void> {
      for (const spot of spots) await spot.close()
      await follow.stop()
    },
  }
}
export type ProductsStage = Awaited<ReturnType<typeof productsFor>>
