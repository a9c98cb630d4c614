import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Words of some areas in every language: `texts.say('ja', 'not_found')`. English where a language lacks a key, the key where English does. */
export interface Texts {
  languages: readonly string[]
  /** `lang` may be anything that a request carries. @param values replace `{{name}}` in the text */
  say(lang: string | undefined, key: string, values?: Readonly<Record<string, string>>): string
}

/** Other names under which a request may ask for a language. */
const aliases: Record<string, string> = {
  fra: 'fr',
  spa: 'es',
  'zh-hans': 'zh',
  'zh-cn': 'zh',
  'zh-hant': 'hk',
  'zh-tw': 'hk',
  'zh-hk': 'hk',
  jp: 'ja',
  kr: 'ko',
}

/** The language to answer in: one of `languages`, en when the asked one is unknown. */
export function chooseLanguage(asked: string | undefined, languages: readonly string[]): string {
  const lower = (asked ?? '').toLowerCase()
  const own = Object.hasOwn(aliases, lower) ? aliases[lower]! : lower
  if (languages.includes(own)) return own
  const short = own.split('-')[0] ?? ''
  return languages.includes(short) ? short : 'en'
}

/** @param areas a key that several of them have is said as in the first */
export function loadTexts(localesDir: string, ...areas: string[]): Texts {
  const languages = readdirSync(localesDir).sort()
  const read = (lng: string, area: string) => {
    const file = join(localesDir, lng, `${area}.json`)
    // A language that is being added has no such file yet, and speaks English until then.
    return lng !== 'en' && !existsSync(file) ? {} : (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>)
  }
  const words = new Map(languages.map((lng) => [lng, Object.assign({}, ...areas.map((area) => read(lng, area)).reverse())]))
  const word = (lng: string, key: string) => {
    const table = words.get(lng)
    return table && Object.hasOwn(table, key) ? table[key] : undefined
  }
  return {
    languages,
    say(lang, key, values) {
      const text = word(chooseLanguage(lang, languages), key) ?? word('en', key) ?? key
      return values
        ? text.replace(/\{\{(\w+)\}\}/g, (whole: string, name: string) => (Object.hasOwn(values, name) ? values[name]! : whole))
        : text
    },
  }
}
