import { useId } from 'react'
import { app } from '#app/gallery/stage.ts'
import { offers, type Switches } from '#app/gallery/switches.ts'
import { words } from '#app/gallery/words.ts'

interface Props {
  switches: Switches
  change: (change: Partial<Switches>) => void
}

/** Switches that apply to all frames of the page. */
export function Bar({ switches, change }: Props) {
  return (
    <form className="g-bar" aria-label={words.title} onSubmit={(event) => event.preventDefault()}>
      <Pick
        label={words.theme}
        value={switches.theme}
        offers={offers.theme.map((one) => [one, words.themes[one]])}
        pick={(theme) => change({ theme: theme as Switches['theme'] })}
      />
      <Pick
        label={words.text}
        value={`${switches.text}`}
        offers={offers.text.map((one) => [`${one}`, `${one} %`])}
        pick={(text) => change({ text: Number(text) })}
      />
      <Pick
        label={words.language}
        value={switches.lang}
        offers={app().languages.map(({ id, label }) => [id, label])}
        pick={(lang) => change({ lang })}
      />
      <Pick
        label={words.words}
        value={switches.words}
        offers={offers.words.map((one) => [one, words.wordings[one]])}
        pick={(wording) => change({ words: wording as Switches['words'] })}
      />
      <Pick
        label={words.width}
        value={`${switches.width}`}
        offers={offers.width.map((one) => [`${one}`, one === 0 ? words.widthFull : `${one} px`])}
        pick={(width) => change({ width: Number(width) })}
      />
    </form>
  )
}

interface PickProps {
  label: string
  value: string
  offers: readonly (readonly [value: string, label: string])[]
  pick: (value: string) => void
}

function Pick({ label, value, offers: list, pick }: PickProps) {
  const id = useId()
  return (
    <div className="g-pick">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => pick(event.target.value)}>
        {list.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}
