import { maskNickname } from '#api-server/account/invited/invited.rules.ts'
import { createInvitedStore } from '#api-server/account/invited/invited.store.ts'
import type { identityCalls } from '#contract/calls/identity.calls.ts'
import type { Database } from '#server-kit/db/db.ts'
import type { Handlers } from '#server-kit/http/http.ts'
import type { Clock } from '#server-kit/ops/clock.ts'
import type { Secrets } from '#server-kit/security/secrets.ts'

export interface InvitedDeps {
  database: Database
  clock: Clock
  secrets: Secrets
}

const idCharacters = 16

/** Whom the caller brought: friends are told apart, and are not given away by their number. */
export function invitedHandlers({ database, clock, secrets }: InvitedDeps): Pick<Handlers<typeof identityCalls>, 'user.invited'> {
  const store = createInvitedStore(database)
  return {
    'user.invited': async ({ page, size, generation }, { user }) => {
      const of = { id: user.uid, generation: generation === '1' ? 1 : 2 } as const
      const { list, total } = await store.page({ ...of, page, size })
      const idOf = (friend: number) => secrets.mac('invited', `${user.uid}\n${friend}`).toString('base64url').slice(0, idCharacters)
      const shown = list.map(({ id, nickname, level, created_at }) => ({
        id: idOf(id),
        nickname: maskNickname(nickname),
        level,
        joined: created_at,
      }))
      return { list: shown, total, months: await store.months(of, clock.now()), earned_usd: '0' }
    },
  }
}
