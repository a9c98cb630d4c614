import { useCallback, useId, useState } from 'react'
import { consoleLanguages, useWords } from '#console/io/words.ts'
import { Select } from '#console/parts/Field.tsx'
import { type Device, devices } from '#console/preview/DeviceFrame.tsx'
import { dataStates, type Switches, themes } from '#console/preview/protocol.ts'
import type { BuildImpact } from '#language/publish/publishing.ts'

/** All options of a preview. */
interface Looks extends Switches {
  device: Device
  /** Hash of the simulated build; empty: the current one. */
  build: string
}
/** A visitor, or a customer by level of verification. One choice, because a visitor has no level. */
const people = ['visitor', 'customer0', 'customer1', 'customer2'] as const
type Person = (typeof people)[number]

const personOf = ({ customer, kyc }: Switches): Person => (customer ? `customer${kyc}` : 'visitor')
const asPerson = (person: Person): Pick<Switches, 'customer' | 'kyc'> => ({
  customer: person !== 'visitor',
  kyc: person === 'visitor' ? 0 : (Number(person.at(-1)) as Switches['kyc']),
})

const storageName = 'console.preview'
const first: Looks = { language: 'en', theme: 'dark', customer: false, kyc: 0, data: 'ok', device: 'phone', build: '' }

/** The options that were stored in this browser, as far as they are valid. */
function readLooks(text: string | null): Looks {
  try {
    const kept = JSON.parse(text ?? '{}') as Partial<Looks>
    const one = <T,>(list: readonly T[], value: unknown, otherwise: T): T => (list.includes(value as T) ? (value as T) : otherwise)
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

type ChangeLooks = (change: Partial<Looks>) => void

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

interface Props {
  looks: Looks
  change: ChangeLooks
  /** Languages of the app document. */
  languages: readonly { id: string; label: string }[]
  builds?: readonly BuildImpact[]
}

/** The options of the preview: who sees the app, with which data, on which device. */
export function SwitchBar({ looks, change, languages, builds = [] }: Props) {
  const say = useWords()
  const offered = languages.length > 0 ? languages : consoleLanguages
  const others = builds.filter(({ own }) => !own)
  return (
    <fieldset className="pv-switches" aria-label={say('preview.switches')}>
      <Pick
        label={say('preview.language')}
        value={looks.language}
        offers={offered.map(({ id, label }) => [id, label])}
        pick={(language) => change({ language })}
      />
      <Pick
        label={say('preview.theme')}
        value={looks.theme}
        offers={themes.map((one) => [one, say(`preview.themes.${one}`)])}
        pick={(theme) => change({ theme: theme as Switches['theme'] })}
      />
      <Pick
        label={say('preview.person')}
        value={personOf(looks)}
        offers={people.map((one) => [one, say(`preview.people.${one}`)])}
        pick={(person) => change(asPerson(person as Person))}
      />
      <Pick
        label={say('preview.data')}
        value={looks.data}
        offers={dataStates.map((one) => [one, say(`preview.states.${one}`)])}
        pick={(data) => change({ data: data as Switches['data'] })}
      />
      <Pick
        label={say('preview.device')}
        value={looks.device}
        offers={(Object.keys(devices) as Device[]).map((one) => [one, say(`preview.devices.${one}`)])}
        pick={(device) => change({ device: device as Device })}
      />
      {others.length > 0 && (
        <Pick
          label={say('preview.build')}
          value={looks.build}
          offers={[
            ['', say('preview.this_build')],
            ...others.map(
              ({ caps, share }) => [caps, say('preview.older_build', { name: caps.slice(0, 8), share: percent(share) })] as const,
            ),
          ]}
          pick={(build) => change({ build })}
        />
      )}
    </fieldset>
  )
}

const percent = (share: number) => `${Math.round(share * 100)} %`

interface PickProps {
  label: string
  value: string
  offers: readonly (readonly [value: string, label: string])[]
  pick: (value: string) => void
}

function Pick({ label, value, offers, pick }: PickProps) {
  const id = useId()
  return (
    <div className="pv-pick">
      <label htmlFor={id}>{label}</label>
      <Select
        id={id}
        className="pv-select"
        value={value}
        choices={offers.map(([one, text]) => ({ value: one, label: text }))}
        onChoose={pick}
      />
    </div>
  )
}
