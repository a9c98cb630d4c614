import type { AppEngine } from '#app/session/app-engine.ts'
import {
  accepted,
  applied,
  type Changes,
  changes,
  met,
  parted,
  recordOf,
  type SyncRecord,
  symbolsOf,
} from '#app/session/favourites.rules.ts'
import { CallProblem } from '#renderer/calls/api.ts'
import { storagePrefix } from '#renderer/device/storage-prefix.ts'

/** Synchronizes the favourites of device and account. One for each engine, created at the first login. */
export interface Favourites {
  /** Called when the account is known, or may have changed elsewhere. */
  meet(): Promise<void>
  /** Called at the end of the session. `unsaid` keeps unsent changes for the next login of the same customer. */
  part(unsaid: boolean): void
}

const againMs = 30_000
const all = new WeakMap<AppEngine, Favourites>()

export function favouritesOf(engine: AppEngine): Favourites {
  const known = all.get(engine) ?? create(engine)
  all.set(engine, known)
  return known
}

function create(engine: AppEngine): Favourites {
  const { device, session, api, problems, ui } = engine
  const list = () => symbolsOf(device.get('favourites'))
  const record = () => recordOf(device.kept('favourites_sync'))
  let shown = list()
  let timer: ReturnType<typeof setTimeout> | undefined

  /** The record is stored first, because listeners compare the list with it. */
  function put([next, symbols]: [SyncRecord, readonly string[]]): void {
    device.keep('favourites_sync', JSON.stringify(next))
    device.set('favourites', [...symbols])
  }
  /** Sends what could not be sent; where the account's list has not come, asks for it first. */
  const again = () => (record().uid === uidNow() ? tell() : favourites.meet())
  function later(): void {
    clearTimeout(timer)
    timer = setTimeout(() => void again(), againMs)
  }
  const uidNow = () => session.root().user?.uid

  /** Sends one change at a time until the account has all of them. Tabs take turns. */
  const tell = () => alone(tellAll)
  async function tellAll(): Promise<void> {
    for (;;) {
      const uid = uidNow()
      const now = record()
      const { add, del } = changes(now.base, list())
      const symbol = del[0] ?? add[0]
      if (uid === undefined || now.uid !== uid || symbol === undefined) return
      const change: Changes = del[0] === undefined ? { add: [symbol], del: [] } : { add: [], del: [symbol] }
      try {
        const answer = (await api.call(del[0] === undefined ? 'user.addOptional' : 'user.delOptional', { symbol })) as { symbols: string[] }
        if (uidNow() !== uid) return
        put(accepted(record(), change, list(), symbolsOf(answer?.symbols)))
      } catch (error) {
        if (problems.take(error) || uidNow() !== uid) return
        if (!(error instanceof CallProblem) || error.code === 0 || error.code === 429 || error.code === 5003) return later()
        // The account refuses the change, so the device reverts it.
        ui.toast(problems.words(error), 'error')
        device.set('favourites', [...applied(list(), { add: change.del, del: change.add })])
      }
    }
  }

  async function meet(): Promise<void> {
    const uid = uidNow()
    if (uid === undefined) return
    try {
      const answer = (await api.call('user.getOptionalList', {})) as { list?: { symbol: string }[] }
      if (uidNow() !== uid) return
      put(met(record(), uid, list(), symbolsOf(answer.list?.map((row) => row.symbol))))
      await tellAll()
    } catch (error) {
      if (!problems.take(error)) later()
    }
  }

  const favourites: Favourites = {
    // A list that was requested before a change was sent would revert the change, so both take turns.
    meet: () => alone(meet),
    part(unsaid) {
      clearTimeout(timer)
      if (record().uid !== 0) put(parted(record(), list(), unsaid))
    },
  }

  device.onChange('favourites', () => {
    const before = shown
    shown = list()
    if (uidNow() === undefined || record().uid !== uidNow()) return
    // A press removes one symbol. Removing all at once means that the device was cleared, which must not clear the account.
    if (before.length > 1 && shown.length === 0) {
      device.keep('favourites_sync', JSON.stringify({ ...record(), base: [] }))
      void favourites.meet()
    } else void tell()
  })
  device.onChange('token', () => {
    if (device.token() === undefined) favourites.part(true)
  })
  globalThis.addEventListener?.('online', () => void again())
  return favourites
}

let queue: Promise<void> = Promise.resolve()
function alone(run: () => Promise<void>): Promise<void> {
  const next = async () => {
    const { locks } = globalThis.navigator ?? {}
    await (locks ? locks.request(`${storagePrefix}favourites`, run) : run())
  }
  queue = queue.then(next, next)
  return queue
}
