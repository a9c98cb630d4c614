import type { Uploads } from '#api-server/upload/uploads.ts'
import type { userCalls } from '#contract/calls/user.calls.ts'
import type { Tx } from '#server-kit/db/db.ts'
import type { Handlers } from '#server-kit/http/http.ts'
import type { Log } from '#server-kit/ops/log.ts'

export interface PortraitDeps {
  uploads: Pick<Uploads, 'claim' | 'remove' | 'discard'>
  /** Writes into the account what `choose` gives, one change of it after the other. @param choose is told the address before; empty when there was none */
  setPortrait: (uid: number, choose: (tx: Tx, before: string) => Promise<string>) => Promise<void>
  log: Log
}

/** Only a picture that this account has sent; it becomes public by that, and the one before it is removed. */
export function portraitHandlers({ uploads, setPortrait, log }: PortraitDeps): Pick<Handlers<typeof userCalls>, 'user.uploadHeadPortrait'> {
  return {
    'user.uploadHeadPortrait': async ({ url }, { user }) => {
      const { uid } = user
      let [address, old] = ['', '']
      // Taken, shown and the one before removed in one: of two changes at once none shows what the other has removed.
      await setPortrait(uid, async (tx, before) => {
        address = await uploads.claim(uid, url, 'avatar', 'url', tx)
        old = before === address ? '' : before
        if (old) await uploads.remove(uid, old, tx)
        return address
      })
      if (old)
        await uploads.discard(old).catch((error: unknown) => log.warn({ err: error }, 'an old picture of an account was not removed'))
      return { head_portrait: address }
    },
  }
}
