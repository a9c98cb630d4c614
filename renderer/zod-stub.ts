/**
 * Passports get this as `z` from `#zod` in a browser (package.json, imports): published documents have been checked, so the app carries no
 * zod. A schema here knows only the lists, the objects and what may be absent, as `def` of zod does, because the engine stands in for a
 * widget whose required lists and objects are not there yet. Calls that change neither give the schema itself. In development every other
 * name throws: a passport that used it would mean one thing on the server and another in the browser, and nothing here parses.
 */
interface Def {
  type: string
  [part: string]: unknown
}

const makers: Readonly<Record<string, (args: readonly unknown[], own: unknown) => Def>> = {
  object: ([shape]) => ({ type: 'object', shape }),
  array: ([element]) => ({ type: 'array', element }),
  union: ([options]) => ({ type: 'union', options }),
  unknown: () => ({ type: 'unknown' }),
  record: () => ({ type: 'record' }),
  optional: (_, innerType) => ({ type: 'optional', innerType }),
  nullable: (_, innerType) => ({ type: 'nullable', innerType }),
}

/** Calls that change nothing of what is known here. Only development asks for them; the built app does not carry the list. */
const withoutEffect = import.meta.env.DEV
  ? new Set([
      ...['string', 'number', 'int', 'boolean', 'enum', 'literal', 'null', 'any', 'lazy'],
      ...['describe', 'meta', 'min', 'max', 'length', 'nonempty', 'nonnegative', 'positive', 'regex', 'exclude', 'extract', 'refine'],
    ])
  : undefined

function schemaOf(def: Def): unknown {
  const schema: unknown = new Proxy(() => undefined, {
    get(_target, name) {
      if (typeof name === 'symbol') return undefined
      if (name === 'def') return def
      const make = Object.hasOwn(makers, name) ? makers[name] : undefined
      if (import.meta.env.DEV && !make && !withoutEffect?.has(name))
        throw new Error(
          `renderer/zod-stub.ts does not know "${name}" of zod. In a browser a passport may only describe props; see docs/guides/write-a-widget.md`,
        )
      return make ? (...args: unknown[]) => schemaOf(make(args, schema)) : schema
    },
    apply: () => schema,
    construct: () => schema as object,
  })
  return schema
}

export const z = schemaOf({ type: 'string' })
