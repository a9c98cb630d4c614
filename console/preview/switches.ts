import { useCallback, useState } from 'react'
import { type Device, devices } from '#console/preview/DeviceFrame.tsx'
import { dataStates, type Switches, themes } from '#console/preview/protocol.ts'

/** Everything that the bar of a preview switches. */
export interface Looks extends Switches {
  device: Device
  /** Hash of the build that is looked through; empty: this one. */
  build: string
}
/** Visitor, or a customer whose identity is proved so far. One choice, because a visitor has no level. */
export const people = ['visitor', 'customer0', 'customer1', 'customer2'] as const
export type Person = (typeof people)[number]

export const personOf = ({ customer, kyc }: Switches): Person => (customer ? `customer${kyc}` : 'visitor')
export const asPerson = (person: Person): Pick<Switches, 'customer' | 'kyc'> => ({
  customer: person !== 'visitor',
  kyc: person === 'visitor' ? 0 : (Number(person.at(-1)) as Switches['kyc']),
})

const storageName = 'console.preview'
const first: Looks = { language: 'en', theme: 'dark', customer: false, kyc: 0, data: 'ok', device: 'phone', build: '' }

/** What was chosen last in this browser, as far as it can be read. */
function readLooks(text: string | null): Looks {
  try {
    const kept = JSON.parse(text ?? '{}') as Partial<Looks>
    const one = <T>(list: readonly T[], value: unknown, otherwise: T): T => (list.includes(value as T) ? (value as T) : otherwise)
    return {
      ...first,
      language: typeof kept.language === 'string' && /^[a-z]{2,3}$/.test(kept.language) ? kept.language : first.language,
      theme: one(themes, kept.theme, first.theme),
      customer: kept.customer === true,
      kyc: one([0, 1, 2] as const, kept.kyc, first.kyc),
      // A state that hides the data would look like a fault the next time.
      data: one(dataStates, 'ok', first.data),
      device: one(Object.keys(devices) as Device[], kept.device, first.device),
    }
  } catch {
    return first
  }
}

export type ChangeLooks = (change: Partial<Looks>) => void

/** The switches, kept in this browser. */
export function useLooks(): readonly [looks: Looks, change: ChangeLooks] {
  const [looks, setLooks] = useState(() => {
    try {
      return readLooks(localStorage.getItem(storageName))
    } catch {
      return first
    }
  })
  const change = useCallback<ChangeLooks>((next) => {
    setLooks((before) => {
      const after = { ...before, ...next }
      try {
        localStorage.setItem(storageName, JSON.stringify(after))
      } catch {
        // Chosen anew the next time.
      }
      return after
    })
  }, [])
  return [looks, change]
}
