import { placeholdersOf, textsOf } from '#language/lint/texts.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'
import { nearest } from '#language/nearest.ts'
import { below } from '#language/position.ts'

/** Every text key exists in every language, with the arguments that its texts use. */
export const textKeys: Check = function* (world) {
  // Needed only where a key is wrong.
  let known: ReadonlySet<string> | undefined
  const keys = () => (known ??= keysOf(world))
  for (const entry of world.entries) {
    for (const { value, pointer } of entry.own.values) for (const said of saidIn(value, pointer)) yield* judged(world, entry, said, keys)
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
  pointer: string
}

/** Text keys inside a value, with the names of their arguments. */
export function* saidIn(value: unknown, pointer: string): Generator<Said> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value) && '$' in value) return
  if (!Array.isArray(value) && '$t' in value && typeof value.$t === 'string') {
    yield { key: value.$t, args: Object.keys(value).filter((name) => name !== '$t'), pointer: `${pointer}/$t` }
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
