import type { i18n as I18next } from 'i18next'
import type { AppDoc } from '#language/documents/documents.ts'

type Languages = AppDoc['languages']

export interface I18nOptions {
  /** The app document's languages, with aliases (fra, spa, simplified…) and the tag that Intl understands. */
  languages: () => Languages
  defaultLanguage: () => string
  /** Shown first; anything unknown becomes the default language. */
  language?: string
  /** Moves what gives the words to that language, also back to one whose words are all here: later areas shall be of it. */
  enter?: (language: string) => Promise<unknown>
  /** Words of one area in one language, the one that was entered last. */
  fetchTexts: (language: string, area: string) => Promise<Record<string, unknown>>
  /** A key without words, once per key and language. */
  onMissing?: (key: string, language: string) => void
}

/** Texts by key. `market.title` is the key `title` of the area `market`. */
export interface I18n {
  /** Id of the language that is shown: zh, en, hk, th, ja, ko, fr, es. */
  language(): string
  /** The id that a request stands for (id, alias or BCP 47 tag), the default language when it is unknown. */
  choose(asked: string | undefined): string
  /**
   * `count` among the arguments picks the plural form, `context` the text `<key>_<context>` where there is one. A missing key gives its own
   * last part.
   */
  say(key: string, args?: Record<string, unknown>): string
  /** Replaces all words of the area in that language. */
  addArea(language: string, area: string, words: Record<string, unknown>): void
  hasArea(language: string, area: string): boolean
  /**
   * Shows another language once all areas that are in use have come. The last request wins.
   * @throws what `enter` or fetchTexts throws; the language then stays. One whose words are all here is shown even so
   */
  change(language: string): Promise<void>
  onChange(wake: () => void): () => void
  /** The instance behind it, for react-i18next. */
  readonly i18next: I18next
}

const ns = 'words'
/** No words can contain it, so it distinguishes a missing key from an empty text. */
const absent = '\u0000'
const missingMax = 500
/** A context is a word of the program, such as a state, and never a way into other keys. */
const plainName = /^\w{1,40}$/

/**
 * @param i18next an instance of its own (createInstance); it is initialised here, at once
 */
export function createI18n(i18next: I18next, options: I18nOptions): I18n {
  const { languages, defaultLanguage, language, enter, fetchTexts, onMissing } = options
  const wakes = new Set<() => void>()
  const areas = new Set<string>()
  const missing = new Set<string>()
  let round = 0

  /** i18next sees tags, not ids: `hk` means nothing to Intl, and its plural and number rules would be those of the device. */
  const tagOf = (id: string) => languages().find((one) => one.id === id)?.tag ?? id
  const choose = (asked: string | undefined): string => {
    const request = asked?.toLowerCase().replace('_', '-') ?? ''
    const list = languages()
    const found =
      list.find((one) => [one.id, one.tag, ...(one.aliases ?? [])].some((name) => name.toLowerCase() === request)) ??
      list.find((one) => one.id === request.split('-')[0])
    return found?.id ?? defaultLanguage()
  }
  const bundle = (id: string) => i18next.getResourceBundle(tagOf(id), ns) as Record<string, unknown> | undefined
  const addArea = (id: string, area: string, words: Record<string, unknown>) => {
    areas.add(area)
    // Beside the areas that are there; nothing writes into words, so they are not copied.
    i18next.addResourceBundle(tagOf(id), ns, { [area]: words }, false, true, { skipCopy: true })
  }
  const hasArea = (id: string, area: string) => Object.hasOwn(bundle(id) ?? {}, area)

  let shown = choose(language)
  void i18next.init({
    initAsync: false,
    lng: tagOf(shown),
    fallbackLng: tagOf(defaultLanguage()),
    load: 'currentOnly',
    resources: {},
    ns: [ns],
    defaultNS: ns,
    // The events on which react-i18next draws again: another language, and words that a release replaced.
    react: { useSuspense: false, bindI18n: 'languageChanged', bindI18nStore: 'added' },
    nsSeparator: false,
    keySeparator: '.',
    missingInterpolationHandler: () => '',
    returnedObjectHandler: () => absent,
    // React escapes what it shows.
    interpolation: { escapeValue: false, skipOnVariables: true },
  })
  /** Texts without arguments, as they were said; figures beside them are drawn again with every price. */
  const said = new Map<string, string>()
  i18next.on('languageChanged', () => said.clear())
  i18next.store.on('added', () => said.clear())

  return {
    i18next,
    language: () => shown,
    choose,
    say(key, args) {
      const isPlain = !args || Object.keys(args).length === 0
      const before = isPlain ? said.get(key) : undefined
      if (before !== undefined) return before
      // Arguments go in as `replace`, so that none of their names can be an option of i18next; nothing in them is nested.
      const count = Number(args?.count ?? Number.NaN)
      const context = args?.context
      const text: unknown = i18next.t(key, {
        defaultValue: absent,
        nest: false,
        replace: { ...args },
        ...(Number.isFinite(count) && { count }),
        ...(typeof context === 'string' && plainName.test(context) && { context }),
      })
      if (typeof text === 'string' && text !== absent) {
        if (isPlain) said.set(key, text)
        return text
      }
      const name = `${shown} ${key}`
      if (!missing.has(name) && missing.size < missingMax) {
        missing.add(name)
        onMissing?.(key, shown)
      }
      const own = key.slice(key.lastIndexOf('.') + 1)
      if (isPlain) said.set(key, own)
      return own
    },
    addArea,
    hasArea,
    async change(request) {
      const mine = ++round
      const next = choose(request)
      const lacking = () => [...areas].filter((area) => !hasArea(next, area))
      await enter?.(next).catch((problem: unknown) => {
        if (lacking().length > 0) throw problem
      })
      // Texts that arrive after a later request are of its language.
      if (mine !== round) return
      const wanted = lacking()
      const words = await Promise.all(wanted.map((area) => fetchTexts(next, area)))
      if (mine !== round) return
      for (const [index, area] of wanted.entries()) addArea(next, area, words[index] ?? {})
      if (next === shown) return
      await i18next.changeLanguage(tagOf(next))
      shown = next
      for (const wake of wakes) wake()
    },
    onChange(wake) {
      wakes.add(wake)
      return () => wakes.delete(wake)
    },
  }
}
