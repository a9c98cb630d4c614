import { nearest } from '#language/documents/nearest.ts'
import type { Check } from '#language/lint/world.ts'
import { below } from '#language/text/position.ts'

/** What the app begins with is among what it offers, routes among its constants are routes, and languages have tags that browsers know. */
export const app: Check = function* (world) {
  const entry = world.entries.find(({ doc }) => doc.kind === 'app')
  if (entry?.doc.kind !== 'app') return
  const { languages, defaultLanguage, fiats, defaultFiat, device, constants } = entry.doc
  const offered: [pointer: string, word: string, words: string[]][] = [['/defaultLanguage', defaultLanguage, languages.map(({ id }) => id)]]
  if (defaultFiat !== undefined || fiats) offered.push(['/defaultFiat', defaultFiat ?? '', fiats ?? []])
  for (const [name, value] of Object.entries(constants))
    if (name.endsWith('Route') && typeof value === 'string' && world.routes)
      offered.push([below('/constants', name), value, [...world.routePaths]])
  for (const [name, { type, values, default: word }] of Object.entries(device))
    if (type === 'enum') offered.push([`/device/${name}/default`, String(word), values ?? []])
  for (const [pointer, word, words] of offered)
    if (!words.includes(word))
      yield world.report(
        'app',
        entry,
        pointer,
        pointer.startsWith('/constants') ? `there is no route "${word}"` : `"${word}" is none of ${words.join(', ')}`,
        {
          suggestion: nearest(word, words),
        },
      )
  for (const [i, { tag }] of languages.entries())
    if (!isTag(tag))
      yield world.report('app', entry, `/languages/${i}/tag`, `"${tag}" is no language tag`, { suggestion: tag.replaceAll('_', '-') })
}

function isTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}
