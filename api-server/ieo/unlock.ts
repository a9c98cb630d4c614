import { sql } from 'kysely'
import { account, type IeoContext, tell } from '#api-server/ieo/context.ts'
import { releaseTimes } from '#api-server/ieo/ieo.rules.ts'
import type { IeoProject } from '#api-server/ieo/ieo.store.ts'
import type { LedgerEvent } from '#api-server/ledger/ledger.ts'
import type { CustomerNotice } from '#contract/calls/notice.kinds.ts'
import { ieoRelease } from '#contract/functions/ieo.release.function.ts'
import { exact, isLess, sum } from '#contract/money.ts'
import { dueRows } from '#server-kit/due/due-rows.ts'
import { dueTable } from '#server-kit/due/due-table.ts'

const everyMs = 1_000

/** Credits tokens when their lock ends, release by release, and closes a project after its last one. */
export function createUnlocking(context: IeoContext) {
  const { database, store, ledger, notices, clock } = context
  const counts = { released: 0 }
  const releases = dueRows(context, {
    name: 'ieo_release',
    source: dueTable(database, { table: 'ieo_order', due: 'due_at', where: sql`status = 'locked'` }),
    everyMs,
    together: 100,
    prepare() {
      const known = new Map<number, Promise<IeoProject | undefined>>()
      return async ({ project_id: id }) => {
        if (!known.has(id)) known.set(id, store.project(id))
        return known.get(id)
      }
    },
    async run(tx, works) {
      const events: LedgerEvent[] = []
      const news: CustomerNotice[] = []
      const done = works.map(({ row, found }) => {
        const { id, uid, done: before } = row
        const times = releaseTimes(found)
        const number = before + 1
        const passed = exact(row.passed!)
        const amount = ieoRelease.run({ passed, number, releases: times.length, scale: found.token_scale })
        const at = Math.max(clock.now(), row.due_at!)
        // A part that rounds to nothing moves nothing; it is in a later one.
        if (isLess('0', amount)) {
          const currency = found.token_id
          events.push({
            kind: 'ieo_unlock',
            source: `ieo:${id}:${number}`,
            uid,
            at,
            postings: [
              { account: { platform: 'escrow_ieo' }, currency, amount: `-${amount}` },
              { account: { uid, kind: account, part: 'available' }, currency, amount },
            ],
          })
          news.push({ uid, kind: 'ieo_unlocked', subject: id, figures: { name: found.name, amount, coin: found.token } })
        }
        return { row, released: sum(row.released, amount), due_at: times[number] ?? null, at }
      })
      if (events.length) await Promise.all([ledger.postAll(tx, events), notices.notifyAll(tx, news)])
      return store.release(tx, done)
    },
    after(orders) {
      counts.released += orders.length
      store.ordersOf(orders.map(({ id }) => id)).then(
        (rows) => {
          for (const row of rows) tell(context, row, 'update')
        },
        () => {
          for (const { uid } of orders) context.rowChanged(uid, 'ieo_orders')
        },
      )
    },
  })
  const projects = dueRows(context, {
    name: 'ieo_unlocked',
    source: dueTable(database, { table: 'ieo_project', due: 'unlocks_at', where: sql`stage = 'allocated'` }),
    everyMs,
    first: releases,
    together: 50,
    prepare: () => async (project) => ((await store.hasLocked(project.id)) ? undefined : true),
    run: (tx, works) =>
      store.unlock(
        tx,
        works.map(({ row }) => row.id),
      ),
    after: context.projectsChanged,
  })
  return { job: projects, releases, counts: () => ({ ...releases.counts(), ...counts }) }
}
