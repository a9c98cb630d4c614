import { expect, test } from 'vitest'
import { accountMigrations } from '#api-server/account/account.migration.ts'
import { createAccountStore } from '#api-server/account/account.store.ts'
import { createSessions } from '#api-server/account/sessions/sessions.ts'
import { createLocalBus } from '#server-kit/ops/bus.ts'
import { createSettableClock } from '#server-kit/ops/clock.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { onPostgres } from '#tests/support/databases/on-postgres.ts'
import { withHeld } from '#tests/support/held.ts'

onPostgres('a session', ({ open }) => {
  test.each(['ended', 'frozen'] as const)(
    'that is %s while it is looked up opens nothing afterwards, or what a frozen account may do',
    async (how) => {
      const database = await open(accountMigrations)
      const log = createLog('silent')
      let arrive = () => {}
      let until: Promise<unknown> = Promise.resolve()
      const slow = withHeld(database, 'session', () => until)
      const sessions = createSessions({ database: slow, clock: createSettableClock(), bus: createLocalBus(log), log })
      const store = createAccountStore(database)
      const caller = { lang: 'en', agent: '', ip: '127.0.0.1' }
      const { uid, token, id } = await database.transaction(async (tx) => {
        const row = { email: 'ann@mail.example', mobile: null, password_hash: 'x', pay_password_hash: null, nickname: 'Ann', lang: 'en' }
        const made = await store.create(tx, { ...row, invite_code: 'AAAAAAAA', created_at: 1 })
        return { uid: made, ...(await sessions.open(tx, made, { ...caller, token: undefined })) }
      })
      const me = () => sessions.userOf({ ...caller, token })
      until = new Promise<void>((done) => {
        arrive = done
      })
      const looking = me()
      await new Promise((wake) => setTimeout(wake, 50))
      if (how === 'ended') await sessions.end(uid, id)
      else {
        await database.transaction((tx) => store.update(tx, uid, { status: 'frozen' }))
        sessions.tell(uid)
      }
      arrive()
      await looking
      if (how === 'ended') expect(await me()).toBeUndefined()
      else expect(await me()).toEqual({ uid, session: id, frozen: true })
    },
  )
})
