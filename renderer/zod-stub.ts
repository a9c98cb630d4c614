/**
 * Passports get this as `z` from `#zod` in a browser (package.json, imports): published documents have been checked, so the app carries no
 * zod. A schema here knows only the lists, the objects and what may be absent, as `def` of zod does, because the engine stands in for a
 * widget whose required lists and objects are not there yet. All other members and calls give the schema itself.
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

function schemaOf(def: Def): unknown {
  const schema: unknown = new Proxy(() => undefined, {
    get(_target, name) {
      if (typeof name === 'symbol') return undefined
      if (name === 'def') return def
      const make = Object.hasOwn(makers, name) ? makers[name] : undefined
      return make ? (...args: unknown[]) => schemaOf(make(args, schema)) : schema
    },
    apply: () => schema,
    construct: () => schema as object,
  })
  return schema
}

export const z = schemaOf({ type: 'string' })
