import { useSyncExternalStore } from 'react'
import { type Wording, wordings } from '#app/gallery/stress.ts'

/** Settings for the whole gallery. They are in the query of the address, so that a view can be shared. */
export interface Switches {
  theme: 'dark' | 'light' | 'both'
  /** Percent. */
  text: number
  lang: string
  words: Wording
  /** px; 0 for the available width. */
  width: number
}

export const offers = {
  theme: ['dark', 'light', 'both'],
  text: [100, 150, 200],
  words: wordings,
  width: [320, 360, 390, 430, 0],
} as const

const start: Switches = { theme: 'dark', text: 100, lang: 'en', words: 'written', width: 390 }

/** Reads the settings from an address; unknown values give the default. */
function readSwitches(search: string, languages: readonly string[]): Switches {
  const asked = new URLSearchParams(search)
  const oneOf = <T extends string | number>(name: keyof Switches, list: readonly T[], otherwise: T): T =>
    list.find((one) => String(one) === asked.get(name)) ?? otherwise
  return {
    theme: oneOf('theme', offers.theme, start.theme),
    text: oneOf('text', offers.text, start.text),
    lang: oneOf('lang', languages, start.lang),
    words: oneOf('words', offers.words, start.words),
    width: oneOf('width', offers.width, start.width),
  }
}

/** The shortest address with these settings. */
function writeSwitches(switches: Switches): string {
  const said = Object.entries(switches).filter(([name, value]) => value !== start[name as keyof Switches])
  return said.length === 0 ? '' : `?${new URLSearchParams(said.map(([name, value]) => [name, String(value)]))}`
}

const wakes = new Set<() => void>()
let last: { search: string; switches: Switches } | undefined

function subscribe(wake: () => void): () => void {
  wakes.add(wake)
  return () => wakes.delete(wake)
}

/** The current settings, and a function to change one. */
export function useSwitches(languages: readonly string[]): [Switches, (change: Partial<Switches>) => void] {
  const switches = useSyncExternalStore(subscribe, () => {
    if (last?.search !== location.search) last = { search: location.search, switches: readSwitches(location.search, languages) }
    return last.switches
  })
  return [
    switches,
    (change) => {
      history.replaceState(history.state, '', `${location.pathname}${writeSwitches({ ...switches, ...change })}${location.hash}`)
      for (const wake of wakes) wake()
    },
  ]
}
