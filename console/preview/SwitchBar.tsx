import { useId } from 'react'
import { consoleLanguages, useWords } from '#console/io/words.ts'
import { Select } from '#console/parts/Field.tsx'
import { type Device, devices } from '#console/preview/DeviceFrame.tsx'
import { dataStates, type Switches, themes } from '#console/preview/protocol.ts'
import { asPerson, type ChangeLooks, type Looks, type Person, people, personOf } from '#console/preview/switches.ts'
import type { BuildReach } from '#language/publish/publishing.ts'

interface Props {
  looks: Looks
  change: ChangeLooks
  /** Languages of the app document. */
  languages: readonly { id: string; label: string }[]
  builds?: readonly BuildReach[]
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
