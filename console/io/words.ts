import { createInstance, type i18n as I18next } from 'i18next'
import { createContext, useContext, useSyncExternalStore } from 'react'

/** Words of the console by key, `shell.save` is the key `save` of console/locales/<language>/shell.json. `count` picks the plural form. */
export type Say = (key: string, args?: Record<string, unknown>) => string

/** Languages of the console, as they call themselves. */
export const consoleLanguages = [
  { id: 'zh', tag: 'zh-Hans', label: '简体中文' },
  { id: 'en', tag: 'en', label: 'English' },
  { id: 'hk', tag: 'zh-Hant-HK', label: '繁體中文（香港）' },
  { id: 'th', tag: 'th', label: 'ไทย' },
  { id: 'ja', tag: 'ja', label: '日本語' },
  { id: 'ko', tag: 'ko', label: '한국어' },
  { id: 'fr', tag: 'fr', label: 'Français' },
  { id: 'es', tag: 'es', label: 'Español' },
] as const
export type ConsoleLanguage = (typeof consoleLanguages)[number]['id']

/** The documents of the back office have their words in their own frame. */
const files = import.meta.glob<{ default: Record<string, unknown> }>(['/console/locales/*/*.json', '!/console/locales/*/office.json'])

export interface WordsSource {
  language(): ConsoleLanguage
  say: Say
  /** Shows another language once its words have come; @throws when they do not come */
  change(language: ConsoleLanguage): Promise<void>
  subscribe(wake: () => void): () => void
}

const tagOf = (id: string) => consoleLanguages.find((one) => one.id === id)?.tag ?? 'en'

/** The console's language for the languages that a browser asks for (BCP 47 tags in order). */
export function languageFor(asked: readonly string[]): ConsoleLanguage {
  for (const one of asked) {
    const tag = one.toLowerCase()
    if (/^zh-(?:hk|tw|mo|hant)/.test(tag)) return 'hk'
    const found = consoleLanguages.find(({ id }) => id === tag.split('-')[0])
    if (found) return found.id
  }
  return 'en'
}

async function bring(i18next: I18next, language: string): Promise<void> {
  const wanted = Object.entries(files).filter(([path]) => path.startsWith(`/console/locales/${language}/`))
  const areas = await Promise.all(
    wanted.map(async ([path, load]) => [path.slice(path.lastIndexOf('/') + 1, -5), (await load()).default] as const),
  )
  i18next.addResourceBundle(tagOf(language), 'words', Object.fromEntries(areas))
}

/** English is always there: what another language lacks is shown in it. */
export async function createWords(language: ConsoleLanguage): Promise<WordsSource> {
  const i18next = createInstance()
  await i18next.init({
    lng: tagOf(language),
    fallbackLng: 'en',
    load: 'currentOnly',
    resources: {},
    ns: ['words'],
    defaultNS: 'words',
    nsSeparator: false,
    interpolation: { escapeValue: false, skipOnVariables: true },
  })
  await Promise.all([...new Set(['en', language])].map((id) => bring(i18next, id)))
  let [shown, chosen] = [language, language]
  const wakes = new Set<() => void>()
  const make =
    (): Say =>
    (key, args = {}) =>
      // Values come from people: none of their names is an option of i18next, and nothing in them is nested.
      i18next.t(key, { nest: false, replace: args, ...(typeof args.count === 'number' && { count: args.count }) })
  let say = make()
  return {
    language: () => shown,
    get say() {
      return say
    },
    async change(next) {
      chosen = next
      if (!i18next.hasResourceBundle(tagOf(next), 'words')) await bring(i18next, next)
      // Another one was chosen while its words were loaded.
      if (chosen !== next) return
      await i18next.changeLanguage(tagOf(next))
      shown = next
      say = make()
      for (const wake of wakes) wake()
    },
    subscribe(wake) {
      wakes.add(wake)
      return () => wakes.delete(wake)
    },
  }
}

export const WordsContext = createContext<WordsSource | null>(null)
const bare: Say = (key) => key.slice(key.lastIndexOf('.') + 1)
const still = () => () => undefined

/** Says words of the console; draws again in another language. */
export function useWords(): Say {
  const words = useContext(WordsContext)
  return useSyncExternalStore(words?.subscribe ?? still, () => words?.say ?? bare)
}
/** Language tag of the console for Intl. */
export function useLocaleTag(): string {
  const words = useContext(WordsContext)
  return tagOf(useSyncExternalStore(words?.subscribe ?? still, () => words?.language() ?? 'en'))
}
