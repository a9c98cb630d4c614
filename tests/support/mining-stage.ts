import type { Insertable } from 'kysely'
import type { MiningProductTable } from '#api-server/mining/mining.migration.ts'
import { mining } from '#api-server/mining/mining.ts'
import { write } from '#server-kit/db/db.ts'
import type { Engine } from '#tests/support/databases/engines.ts'
import { type KitStage, openKitStage } from '#tests/support/databases/kit-stage.ts'

/** Locked mining over a whole database. */
export const openMiningStage = async (engine: Pick<Engine, 'open'>, nodes = 1) => miningOn(await openKitStage(engine, [mining], nodes))

/** @param kit has locked mining among its products */
export function miningOn(kit: KitStage) {
  const { stage, database } = kit
  return {
    ...kit,
    /** Closes the stage. */
    end: kit.close,
    /** Pays until nothing is due. */
    async pay(node = 0): Promise<void> {
      while ((await kit.parts(mining, node).pay()) > 0);
    },
    /** A product on sale: five days of USDT at 0.35 % a day with a penalty of 0.4 %, unless said. @returns its number */
    async product(over: Partial<Insertable<MiningProductTable>> = {}): Promise<number> {
      const row: Insertable<MiningProductTable> = {
        kind: 'lock',
        currency_id: stage.idOf('USDT'),
        daily: '0.0035',
        locked_days: 5,
        penalty: '0.004',
        least: '10',
        most: '50000',
        capacity: '1000000',
        risk: 3,
        terms_version: 1,
        locked: '0',
        sale: 'open',
        simulated: false,
        ...over,
      }
      return (await write(1, database.db.insertInto('mining_product').values(row).returning('id')))[0]!.id
    },
    async customer(usdt = '10000'): Promise<number> {
      const uid = await stage.user()
      await stage.credit(uid, 'USDT', usdt)
      return uid
    },
    deposit: (uid: number, mid: number, amount = '1000', { key, node = 0 }: { key?: string; node?: number } = {}) =>
      kit.callAt(node, 'mining.deposit', uid, { mid: String(mid), amount, terms_version: '1' }, key),
    close: (uid: number, id: number, { key, node = 0 }: { key?: string; node?: number } = {}) =>
      kit.callAt(node, 'mining.close', uid, { id: String(id) }, key),
    order: (uid: number, id: number) => kit.call('mining.order', uid, { id: String(id) }),
    renew: (uid: number, id: number, renewal: string) => kit.call('mining.renewal', uid, { id: String(id), renewal }),
    has: (uid: number) => stage.has(uid, 'USDT'),
  }
}
export type MiningStage = ReturnType<typeof miningOn>
