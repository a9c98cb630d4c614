import { type Area, areas } from '#api-server/account/address/areas.ts'
import { defaultAreaCode } from '#contract/credentials.ts'
import { searchForm } from '#contract/text.ts'

/** Our language ids as tags that Intl knows. */
const tags: Record<string, string> = { zh: 'zh-Hans-CN', hk: 'zh-Hant-HK' }
const tagOf = (lang: string) => (Object.hasOwn(tags, lang) ? tags[lang]! : lang)
const known = new Set(areas.map(({ code }) => code))
const named = new Map<string, readonly (Area & { name: string })[]>()

/** All areas with their names in a language, in the order of that language. */
function namedAreas(lang: string): readonly (Area & { name: string })[] {
  const before = named.get(lang)
  if (before) return before
  const names = new Intl.DisplayNames([tagOf(lang)], { type: 'region' })
  const order = new Intl.Collator(tagOf(lang))
  const list = areas.map((area) => ({ ...area, name: names.of(area.iso) ?? area.iso })).sort((a, b) => order.compare(a.name, b.name))
  named.set(lang, list)
  return list
}

/** Areas whose name, ISO code or calling code has the keyword in it. `lang` is one of the platform's. */
export function searchAreas(lang: string, keyword = ''): (Area & { name: string })[] {
  const wanted = searchForm(keyword.trim())
  const digits = wanted.replace(/^\+/, '')
  return namedAreas(lang).filter(
    ({ name, iso, code }) =>
      searchForm(name).includes(wanted) || iso.toLowerCase() === wanted || (digits !== '' && code.startsWith(digits)),
  )
}

/** The calling code that a request means: 86 for nothing at all, undefined for one that there is not. */
export function callingCode(code: string | undefined, id: number | undefined): string | undefined {
  const asked = code?.replace(/^\+/, '') ?? (id === undefined ? defaultAreaCode : areas.find((area) => area.id === id)?.code)
  return asked !== undefined && known.has(asked) ? asked : undefined
}
