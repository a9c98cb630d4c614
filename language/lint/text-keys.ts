import { nearest } from '#language/documents/nearest.ts'
import { contextsOf, placeholdersOf, textsOf } from '#language/lint/texts.ts'
import { answersOf } from '#language/lint/trees.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'
import { below } from '#language/text/position.ts'
import type { JsonSchema, LintProblem } from '#language/types/catalog.ts'
import { typeOfValue, withoutNull } from '#language/types/paths.ts'
import type { Types } from '#language/types/types.ts'

/** Every text key exists in every language, with the arguments that its texts use. */
export const textKeys: Check = function* (world) {
  // Needed only where a key is wrong.
  let known: ReadonlySet<string> | undefined
  const keys = () => (known ??= keysOf(world))
  for (const entry of world.entries) {
    for (const place of entry.own.values)
      for (const said of saidIn(place.value, place.pointer)) {
        yield* judged(world, entry, said, keys)
        if (said.context !== undefined) yield* inContext(world, entry, said, world.typesAt(entry, place))
      }
  }
}

function keysOf({ languages, texts }: World): Set<string> {
  const every = languages.flatMap((language) =>
    Object.entries(texts[language] ?? {}).flatMap(([area, words]) => Object.keys(words).map((path) => `${area}.${path}`)),
  )
  return new Set(every.flatMap((key) => [key, key.replace(/_(zero|one|two|few|many|other)$/, '')]))
}

interface Said {
  key: string
  args: readonly string[]
  /** What chooses among the texts of the key; undefined where nothing does. */
  context: unknown
  pointer: string
}

/** Text keys inside a value, with the names of their arguments. */
export function* saidIn(value: unknown, pointer: string): Generator<Said> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value) && '$' in value) return
  if (!Array.isArray(value) && '$t' in value && typeof value.$t === 'string') {
    const context = 'context' in value ? value.context : undefined
    yield { key: value.$t, args: Object.keys(value).filter((name) => name !== '$t'), context, pointer: `${pointer}/$t` }
  }
  for (const [name, part] of Object.entries(value)) if (name !== '$t') yield* saidIn(part, below(pointer, name))
}

function* judged(world: World, entry: Entry, { key, args, pointer }: Said, keys: () => ReadonlySet<string>) {
  const texts = world.languages.map((language) => textsOf(world, language, key, args))
  const lacking = world.languages.filter((_, i) => texts[i]?.length === 0)
  if (lacking.length > 0) {
    const everywhere = lacking.length === world.languages.length
    const message = everywhere ? `there is no text "${key}"` : `"${key}" has no text in ${lacking.join(', ')}`
    yield world.report('text-keys', entry, pointer, message, { suggestion: everywhere ? nearest(key, keys()) : undefined })
  }
  const wanted = new Set(texts.flat().flatMap(placeholdersOf))
  const missing = [...wanted].filter((name) => !args.includes(name))
  for (const name of missing) {
    const given = args.filter((arg) => !wanted.has(arg))
    const near = nearest(name, given)
    yield world.report('text-keys', entry, pointer, `the text "${key}" wants "${name}"`, {
      suggestion: near === undefined ? undefined : `${name} instead of ${near}`,
    })
  }
  if (lacking.length > 0 || missing.length > 0) return
  for (const name of args) {
    if (!wanted.has(name) && name !== 'count' && name !== 'context')
      yield world.report('text-keys', entry, pointer, `the text "${key}" does not use "${name}"`, { severity: 'warn' })
  }
}

/** Every word that a context can be has a text, or the key has one for all other words. */
function* inContext(world: World, entry: Entry, { key, context, pointer }: Said, types: Types): Generator<LintProblem> {
  const words = wordsOf(context, types)
  for (const word of words ?? []) {
    const lacking = world.languages.filter((language) => {
      const known = contextsOf(world, language, key)
      return known.length > 0 && !known.includes('') && !known.includes(word)
    })
    if (lacking.length === 0) continue
    const where = lacking.length === world.languages.length ? '' : ` in ${lacking.join(', ')}`
    const known = contextsOf(world, lacking[0] as string, key)
    yield world.report('text-keys', entry, `${pointer.replace(/\$t$/, 'context')}`, `the text "${key}" has no context "${word}"${where}`, {
      suggestion: nearest(word, known),
    })
  }
}

/** Every word that a value can be, where that is known. */
function wordsOf(value: unknown, types: Types): readonly string[] | undefined {
  const written = answersOf(value)
  if (written) return written.filter((word) => typeof word === 'string')
  const type: JsonSchema = withoutNull(typeOfValue(value, types).type)
  return type.enum?.filter((word) => typeof word === 'string')
}
