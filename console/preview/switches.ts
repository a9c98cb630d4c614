import { useCallback, useState } from 'react'
import { type Device, devices } from '#console/preview/DeviceFrame.tsx'
import { dataStates, type Switches, themes } from '#console/preview/protocol.ts'

/** All options of a preview. */
export interface Looks extends Switches {
  device: Device
  /** Hash of the simulated build; empty: the current one. */
  build: string
}
/** A visitor, or a customer by level of verification. One choice, because a visitor has no level. */
export const people = ['visitor', 'customer0', 'customer1', 'customer2'] as const
export type Person = (typeof people)[number]

export const personOf = ({ customer, kyc }: Switches): Person => (customer ? `customer${kyc}` : 'visitor')
export const asPerson = (person: Person): Pick<Switches, 'customer' | 'kyc'> => ({
  customer: person !== 'visitor',
  kyc: person === 'visitor' ? 0 : (Number(person.at(-1)) as Switches['kyc']),
})

const storageName = 'console.preview'
const first: Looks = { language: 'en', theme: 'dark', customer: false, kyc: 0, data: 'ok', device: 'phone', build: '' }

/** The options that were stored in this browser, as far as they are valid. */
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
      // A state without data would look like a fault on the next visit.
      data: one(dataStates, 'ok', first.data),
      device: one(Object.keys(devices) as Device[], kept.device, first.device),
    }
  } catch {
    return first
  }
}

export type ChangeLooks = (change: Partial<Looks>) => void

/** The options, stored in this browser. */
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
        // They are lost when storage is unavailable.
      }
      return after
    })
  }, [])
  return [looks, change]
}
