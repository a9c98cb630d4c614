import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#server-kit/db/db.ts'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { productsFor } from '#tests/support/databases/products-stage.ts'
import { openWalletStage } from '#tests/support/databases/wallet-stage.ts'
import { bundled } from '#tests/support/house/bundle.ts'
import { chance, firstOf, isFull, withSeed } from '#tests/support/house/sizes.ts'
import { killsOn, openPlace, startNode } from '#tests/support/killed/node.ts'
import { type MoneyCall, moneyCallNames } from '#tests/support/people/product-calls.ts'
import { percentile } from '#tests/support/percentile.ts'

/** A key that a killed node held is free after so long. */
const abandonedMs = 60_000
/** So long a node may take from its start to its first call after one that was killed; beside other work, twice what it takes after one that ended. */
const readyMsMax = 5_000

let child: Awaited<ReturnType<typeof bundled>>
beforeAll(async () => {
  child = await bundled('tests/support/killed/product-child.ts')
})
afterAll(() => child?.remove())

const named = (asked: string) => {
  const [key = '', uid, name] = asked.split(' ')
  return { key, uid: Number(uid), name: name as MoneyCall }
}

/** Transactions that one call may cause, its own and those of the work that it starts; some need fewer. */
const transactionsMost = 6
const moments = ['before', 'after'] as const
/** One call of each product; the full run takes all calls. */
const firstOfEach = moneyCallNames.filter((name, at) => moneyCallNames.findIndex((one) => productOf(one) === productOf(name)) === at)
function productOf(name: MoneyCall): string {
  return name.split('.')[0]!
}
const pressed = firstOf([...new Set([...firstOfEach, ...moneyCallNames])], firstOfEach.length)

onEngines('calls with a key when the node is killed at a point', (engine) => {
  test('each that is made again has the effect of one that was made once', async () => {
    const place = await engine.place()
    const asked: ReturnType<typeof named>[] = []
    const killedAt = new Set<MoneyCall>()
    const refused: string[] = []
    let [begun, unknown]: [number, string[]] = [0, []]
    /** Starts a node that asks again what the one before left open. @returns whether it was killed */
    async function press(calls: readonly MoneyCall[], point: string): Promise<boolean> {
      const places = calls.map((call) => moneyCallNames.indexOf(call)).join()
      const node = startNode(child.file, place, [String(abandonedMs * begun++), places, point], unknown)
      const isKilled = await node.isKilled()
      refused.push(...node.of('no'))
      asked.push(...node.of('try').map(named))
      unknown = node.unknown()
      if (isKilled) for (const call of calls) killedAt.add(call)
      return isKilled
    }
    for (const [at, call] of pressed.entries()) {
      if (isFull)
        for (let n = 1; n <= transactionsMost && (await press([call], `${n} before`)) && (await press([call], `${n} after`)); n++);
      else await press([call], `1 ${moments[at % moments.length]}`)
    }
    // Makes the call that was left open, and each one once without a kill.
    expect(await press(pressed, '0 never')).toBe(false)
    expect(unknown).toEqual([])
    expect([...killedAt].sort()).toEqual([...pressed].sort())
    const database = await openPlace(place)
    try {
      await expectEachOnce(database, asked, tooLate(refused))
      await expectSoundMoney(database)
    } finally {
      await database.close()
    }
  })
})

onEngines('calls with a key when the node is killed at any time', (engine) => {
  test('each that was made again has the effect of one that was made once', { tags: 'full' }, async () => {
    const place = await engine.place()
    const draw = chance()
    await withSeed(draw, async () => {
      const asked = new Set<string>()
      const cut = new Map<MoneyCall, number>()
      const readyMs: number[] = []
      const refused: string[] = []
      const start = (places: readonly number[], again: readonly string[] = []) =>
        startNode(child.file, place, [String(abandonedMs * begun++), places.join()], again)
      let begun = 0
      const rounds = killsOn(engine)
      let unknown: string[] = []
      for (let round = 0; round < rounds; round++) {
        // In some order, so that calls of all kinds are under way when a node is killed.
        const places = [...moneyCallNames.keys()].sort(() => draw.next() - 0.5)
        const startedAt = performance.now()
        const node = start(places, unknown)
        const least = 1 + draw.below(2 * moneyCallNames.length)
        await node.until(() => node.of('try').length >= least)
        await new Promise((wake) => setTimeout(wake, 40 * draw.next() ** 2))
        await node.kill()
        if (round > 0) readyMs.push(node.saidAt('ready')! - startedAt)
        refused.push(...node.of('no'))
        for (const line of node.of('try')) asked.add(line)
        unknown = node.unknown()
        for (const line of unknown) cut.set(named(line).name, (cut.get(named(line).name) ?? 0) + 1)
      }
      const last = start([], unknown)
      await last.end()
      expect(last.unknown()).toEqual([])
      refused.push(...last.of('no'))
      // Nodes that start after one that ended by itself.
      const endedMs: number[] = []
      for (let at = 0; at < 3; at++) {
        const startedAt = performance.now()
        const next = start([])
        await next.end()
        endedMs.push(next.saidAt('ready')! - startedAt)
      }
      const database = await openPlace(place)
      try {
        await expectEachOnce(database, [...asked].map(named), tooLate(refused))
        await expectSoundMoney(database)
      } finally {
        await database.close()
      }
      expect(cut.size).toBeGreaterThan(0)
      // Medians, in the full run alone, because other work of the machine may hold a node up.
      const [killed, ended] = [readyMs, endedMs].map((times) => percentile(times, 0.5)) as [number, number]
      if (isFull) expect(killed).toBeLessThanOrEqual(Math.max(readyMsMax, 2 * ended))
      const cuts = [...cut].map(([name, times]) => `${times} ${name}`).join(', ')
      console.log(`ready ${Math.round(killed)} ms after a kill, ${Math.round(ended)} ms after an end; ${asked.size} calls; cut: ${cuts}`)
    })
  })
})

/** Keys of exchanges that came too late: a rate is offered for a few seconds, and the next node comes later. Nothing else is refused. */
function tooLate(refused: readonly string[]): Set<string> {
  expect(refused.filter((line) => !line.endsWith(' quote_expired'))).toEqual([])
  return new Set(refused.map((line) => line.replace(' quote_expired', '')))
}

/** Customers who made the same call have the same, also those whose node was killed meanwhile; what came too late has done nothing. */
async function expectEachOnce(database: Database, made: readonly ReturnType<typeof named>[], late: ReadonlySet<string>): Promise<void> {
  const stage = await productsFor(await openWalletStage({ open: async () => database }))
  try {
    for (const name of moneyCallNames) {
      const holdings = new Map<string, number[]>()
      for (const { key, uid } of made.filter((one) => one.name === name)) {
        const held = await stage.holdings(uid)
        if (name === 'wallet.exchange' && late.has(key)) {
          expect(held).not.toHaveProperty('event exchange')
          continue
        }
        const has = JSON.stringify(Object.entries(held).sort())
        holdings.set(has, [...(holdings.get(has) ?? []), uid])
      }
      expect(holdings.size, `${name}: ${JSON.stringify([...holdings])}`).toBeLessThanOrEqual(1)
    }
  } finally {
    await stage.stop()
  }
}
