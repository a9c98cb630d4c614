import { type SelectQueryBuilder, sql } from 'kysely'
import { mask } from '#api-server/account/address/address.rules.ts'
import { folded } from '#contract/text.ts'
import type { Database, Tables, Tx } from '#server-kit/db/db.ts'
import { pageOf } from '#server-kit/http/list-bounds.ts'

/** A customer as operators see one. Times are ms UTC. */
export interface Person {
  uid: number
  nickname: string
  /** Masked address or number. */
  contact: string
  level: number
  /** An account whose password is published. */
  demo: boolean
  status: 'active' | 'frozen'
  /** Withdrawals wait until then. */
  holdUntil: number | null
  created: number
  /** Last use of a session that has not ended. */
  seen: number | null
}

export interface People {
  /** @param tx reads inside of a change */
  byIds(uids: readonly number[], tx?: Tx): Promise<Map<number, Person>>
  /** Newest first. @param page from 1 on */
  page(ask: { search?: string | undefined; status: 'all' | 'active' | 'frozen'; page: number; size: number }): Promise<{
    list: Person[]
    total: number
  }>
  /** Numbers of those whom a search finds, newest first, at most 200. */
  find(search: string): Promise<number[]>
}

const foundMax = 200
/** Fewer digits fit too many numbers. */
const digitsMin = 4
const uidMax = 15

type Accounts = SelectQueryBuilder<Tables, 'account', object>

const literal = (text: string) => text.replace(/[\\%_]/g, '\\$&')

/** By number, part of the nickname, beginning of the address, end of the mobile number. */
function searched(all: Accounts, search: string): Accounts {
  const text = folded(search).trim()
  if (!text) return all
  const digits = text.replace(/[\s+-]/g, '')
  const isNumber = /^\d+$/.test(digits)
  return all.where((row) =>
    row.or([
      row('nickname', 'ilike', `%${literal(text)}%`),
      row('email', 'like', `${literal(text.toLowerCase())}%`),
      ...(isNumber && digits.length <= uidMax ? [row('account.id', '=', Number(digits))] : []),
      ...(isNumber && digits.length >= digitsMin
        ? [row(sql<string>`replace(replace(mobile, ' ', ''), '+', '')`, 'like', `%${digits}`)]
        : []),
    ]),
  )
}

export function createPeople(database: Database): People {
  const { db } = database
  const selected = (all: Accounts) =>
    all
      .select(['account.id', 'nickname', 'email', 'mobile', 'level', 'demo', 'status', 'withdraw_hold_until', 'account.created_at'])
      .select((row) =>
        row.selectFrom('session').whereRef('account_id', '=', 'account.id').select(sql<number | null>`max(seen_at)`.as('at')).as('seen'),
      )
  type Selected = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number]
  const personOf = ({ id, email, mobile, withdraw_hold_until, created_at, ...row }: Selected): Person => ({
    ...row,
    uid: id,
    holdUntil: withdraw_hold_until,
    created: created_at,
    contact: mask(email ?? mobile ?? '@'),
  })
  return {
    async byIds(uids, tx) {
      if (!uids.length) return new Map()
      const rows = await selected((tx ?? db).selectFrom('account').where('account.id', 'in', [...new Set(uids)])).execute()
      return new Map(rows.map((row) => [row.id, personOf(row)]))
    },
    async page({ search = '', status, page, size }) {
      let all: Accounts = searched(db.selectFrom('account'), search)
      if (status !== 'all') all = all.where('status', '=', status)
      const { rows, total } = await pageOf(db, selected(all).orderBy('account.id', 'desc'), { page, size }, null)
      return { list: rows.map(personOf), total }
    },
    async find(search) {
      const rows = await searched(db.selectFrom('account'), search)
        .select('account.id')
        .orderBy('account.id', 'desc')
        .limit(foundMax)
        .execute()
      return rows.map(({ id }) => id)
    },
  }
}
