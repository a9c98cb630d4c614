import { storagePrefix } from '#renderer/device/storage-prefix.ts'
import type { Engine } from '#renderer/engine/types.ts'

/**
 * Calls that change something and whose answer is not here yet, kept on the device before they are sent: after a reload the app can still
 * ask for their outcome. The arguments of a call are not stored.
 */
export interface Press {
  /** Idempotency key. */
  key: string
  call: string
  screen: string
  /** Of the screen, as the customer read it. */
  title: string
  /** Whose it is. */
  uid: string
  /** ms since 1970. */
  at: number
  /** The tab that sent it. */
  tab: string
  /** The customer got the message that the call had not arrived and chose not to repeat it. Reported only if it arrived after all. */
  quiet?: boolean
}

/** `keptMs` is a little less than the server knows a key. */
export const pressLimits = { kept: 20, keptMs: 23 * 3_600_000, titleMax: 80, otherTabMs: 120_000 } as const

const tabName = `${storagePrefix}tab`
let ownTab: string | undefined

/** A name for this tab that outlives a reload. */
export function thisTab(): string {
  if (ownTab) return ownTab
  ownTab = crypto.randomUUID()
  try {
    ownTab = sessionStorage.getItem(tabName) ?? ownTab
    sessionStorage.setItem(tabName, ownTab)
  } catch {
    // Blocked: then every load is a tab of its own.
  }
  return ownTab
}

/** Keys of this tab whose answer somebody waits for. */
export const awaited = new Set<string>()

const isPress = (value: unknown): value is Press => {
  const press = value as Press | null
  return (
    ['key', 'call', 'screen', 'title', 'uid', 'tab'].every((name) => typeof press?.[name as keyof Press] === 'string') &&
    Number.isFinite(press?.at)
  )
}

function all(engine: Pick<Engine, 'device' | 'clock'>): Press[] {
  try {
    const kept: unknown = JSON.parse(engine.device.kept('presses') ?? '[]')
    const oldest = engine.clock.now() - pressLimits.keptMs
    return Array.isArray(kept) ? kept.filter((one) => isPress(one) && one.at > oldest) : []
  } catch {
    return []
  }
}

const write = (engine: Pick<Engine, 'device'>, presses: readonly Press[]) =>
  engine.device.keep('presses', presses.length > 0 ? JSON.stringify(presses.slice(-pressLimits.kept)) : null)

export function keepPress(engine: Pick<Engine, 'device' | 'clock'>, press: Press): void {
  write(engine, [...all(engine).filter(({ key }) => key !== press.key), press])
}

export function dropPress(engine: Pick<Engine, 'device' | 'clock'>, key: string): void {
  const kept = all(engine)
  if (engine.device.kept('presses') !== null)
    write(
      engine,
      kept.filter((press) => press.key !== key),
    )
}

/** Those of the customer that nobody waits for any more: of this tab before it was loaded again, and of tabs that are gone. */
export function lostPresses(engine: Pick<Engine, 'device' | 'clock' | 'session'>): Press[] {
  const { uid } = engine.session.root()
  return all(engine).filter(
    (one) =>
      !awaited.has(one.key) &&
      one.uid === uid &&
      uid !== '' &&
      (one.tab === thisTab() || engine.clock.now() - one.at > pressLimits.otherTabMs),
  )
}
