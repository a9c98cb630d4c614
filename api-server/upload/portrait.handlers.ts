import type { Uploads } from '#api-server/upload/uploads.ts'
import type { userCalls } from '#contract/calls/user.calls.ts'
import type { Tx } from '#server-kit/db/db.ts'
import type { Handlers } from '#server-kit/http/http.ts'
import type { Log } from '#server-kit/ops/log.ts'

interface PortraitDeps {
  uploads: Pick<Uploads, 'claim' | 'remove' | 'discard'>
  /**
   * Stores the address that `choose` returns; changes of one account run one after the other. @param choose receives the previous address,
   * '' for none
   */
  setPortrait: (uid: number, choose: (tx: Tx, before: string) => Promise<string>) => Promise<void>
  log: Log
}

/** Handler of the profile picture. The picture must be an upload of this account. It becomes public, and the previous one is removed. */
export function portraitHandlers({ uploads, setPortrait, log }: PortraitDeps): Pick<Handlers<typeof userCalls>, 'user.uploadHeadPortrait'> {
  return {
    'user.uploadHeadPortrait': async ({ url }, { user }) => {
      const { uid } = user
      let [address, old] = ['', '']
      // One transaction claims the picture, stores its address and removes the previous one. Of two concurrent changes neither shows a
      // removed picture.
      await setPortrait(uid, async (tx, before) => {
        address = await uploads.claim(uid, url, 'avatar', 'url', tx)
        old = before === address ? '' : before
        if (old) await uploads.remove(uid, old, tx)
        return address
      })
      if (old)
        await uploads
          .discard(old)
          .catch((error: unknown) => log.warn({ err: error }, 'upload: an old profile picture could not be removed'))
      return { head_portrait: address }
    },
  }
}
