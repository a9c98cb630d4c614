import { addressOf, type MatchedRoute } from '#renderer/core/route.ts'
import { storagePrefix } from '#renderer/device/storage-prefix.ts'
import { type Entry, entryOf, isShut, pathOf, routeNames } from '#renderer/engine/gate.rules.ts'
import type { Gate, Session } from '#renderer/engine/types.ts'

export interface GateOptions {
  session: Session
  match: (path: string) => MatchedRoute | undefined
  move: (address: string, replace: boolean) => void
  /** Address inside the hash that is shown now. */
  where: () => string
  toast: (text: string) => void
  say: (key: string) => string
  /** Of the app document: `loginRoute` and `verifyRoute` say where people are brought; without one nobody is moved. */
  constants: () => Readonly<Record<string, unknown>>
  /** Lives as long as the tab; absent where the browser blocks it. */
  pocket: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | undefined
}

const pocketName = `${storagePrefix}return`
const redirectWaitMs = 1_200
type Target = 'login' | 'verify'

export function createGate({ session, match, move, where, toast, say, constants, pocket }: GateOptions): Gate {
  let wanted: string | undefined = attempt(() => pocket?.getItem(pocketName) ?? undefined)
  let pending: { target: Target; from: string; timer: ReturnType<typeof setTimeout> } | undefined
  /** Page that is about to be left because the customer logs out. */
  let leaving: string | undefined
  let last = ''

  const here = () => pathOf(where())
  const pageOf = (target: Target): MatchedRoute | undefined => {
    const route = constants()[routeNames[target]]
    return typeof route === 'string' ? match(route) : undefined
  }
  const entry = (path: string): Entry => {
    const route = match(path)?.route
    return route ? entryOf(route, session.who()) : 'open'
  }
  function remember(address: string | undefined): void {
    wanted = address
    attempt(() => (address === undefined ? pocket?.removeItem(pocketName) : pocket?.setItem(pocketName, address)))
  }
  function stay(): void {
    clearTimeout(pending?.timer)
    pending = undefined
  }
  /** However many reasons there are at once, it is said once and moved once. */
  function redirect(target: Target, text: string, replace: boolean, from = here()): void {
    if (pending?.target === target) return
    toast(text)
    if (from !== here()) return
    stay()
    const timer = setTimeout(
      () => {
        pending = undefined
        const page = pageOf(target)
        // The address bar is ahead of what is drawn: a customer who has just gone elsewhere is left there.
        if (page && here() === from && page.path !== match(from)?.path) move(addressOf(page.path), replace)
      },
      Number(constants().redirectWaitMs ?? redirectWaitMs),
    )
    pending = { target, from, timer }
  }
  const isLogin = (path: string) => match(path) !== undefined && match(path)?.path === pageOf('login')?.path

  function toLogin(text: string, from?: string): void {
    if (!isLogin(here())) remember(where())
    redirect('login', text, true, from)
  }
  return {
    entry,
    isShut: (path) => isShut(entry(path), constants(), match),
    go(address, replace) {
      const path = pathOf(address)
      const asks = entry(path)
      if (asks === 'off') toast(say('engine.off'))
      else if (asks === 'login') {
        remember(address)
        redirect('login', say('engine.login_first'), false)
      } else if (asks === 'verify') redirect('verify', say('problem.verification_required'), false)
      else {
        // A page that changes its own parameters does not call off what is about to happen; going elsewhere does.
        if (path !== here()) stay()
        if (isLogin(path) && wanted === undefined && !isLogin(here())) remember(where())
        move(address, replace)
      }
    },
    turnAway(path) {
      if (leaving === path) return
      const asks = entry(path)
      if (asks === 'login') toLogin(say('engine.login_first'))
      else if (asks === 'verify') redirect('verify', say('problem.verification_required'), true)
    },
    toLogin,
    toVerify: (text, from) => redirect('verify', text, false, from),
    back() {
      const address = wanted
      remember(undefined)
      const own = isOwnAddress(address) && match(pathOf(address)) !== undefined && !isLogin(pathOf(address))
      move(own ? address : '/', true)
    },
    visited(path, popped) {
      if (pending && pending.from !== path) stay()
      if (leaving !== path) leaving = undefined
      // A customer who turns back from the login page, or goes on to one of the tabs, no longer wants to go there.
      const turned = match(path)?.route.tab !== undefined || (popped && isLogin(last) && !isLogin(path))
      if (turned && wanted !== undefined && !pending) remember(undefined)
      last = path
    },
    leave() {
      stay()
      remember(undefined)
      leaving = here()
      setTimeout(() => {
        if (leaving !== undefined && entry(leaving) !== 'open') move('/', true)
        leaving = undefined
      }, 100)
    },
  }
}

/** An address that the app itself can open: one slash, printable, no longer than an address bar takes. */
export function isOwnAddress(value: unknown): value is string {
  return typeof value === 'string' && /^\/(?!\/)[\x21-\x7e]{0,1999}$/.test(value)
}

function attempt<T>(run: () => T): T | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}
