import type { Uploads } from '#api-server/upload/uploads.ts'
import type { userCalls } from '#contract/user.calls.ts'
import type { Handlers } from '#server-kit/http.ts'
import type { Log } from '#server-kit/log.ts'

export interface PortraitDeps {
  uploads: Pick<Uploads, 'claim' | 'remove'>
  /** Writes the address into the account. @returns the one that was there before; empty when there was none */
  setPortrait: (uid: number, address: string) => Promise<string>
  log: Log
}

/** Only a picture that this account has sent; it becomes public by that, and the one before it is removed. */
export function portraitHandlers({ uploads, setPortrait, log }: PortraitDeps): Pick<Handlers<typeof userCalls>, 'user.uploadHeadPortrait'> {
  return {
    'user.uploadHeadPortrait': async ({ url }, { user }) => {
      const address = await uploads.claim(user.uid, url, 'avatar')
      const before = await setPortrait(user.uid, address)
      if (before !== address)
        await uploads
          .remove(user.uid, before)
          .catch((error: unknown) => log.warn({ err: error }, 'an old picture of an account was not removed'))
      return { head_portrait: address }
    },
  }
}
