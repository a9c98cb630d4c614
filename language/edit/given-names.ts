import type { AnyDoc } from '#language/documents/documents.ts'
import { isObject } from '#language/documents/json.ts'
import { callOf } from '#language/documents/nodes.ts'
import { type Facts, factsOf } from '#language/documents/walk.ts'
import { below } from '#language/text/position.ts'
import type { SourceDocument } from '#language/types/catalog.ts'

/** Parameters of a fragment that stand for names: path below `params` (`call`, `none.go`) and kind (`call`, `route`). */
type Named = ReadonlyMap<string, 'call' | 'route'>
/** Those of each fragment, by its id. */
export type NamedOf = ReadonlyMap<string, Named>

/** Finds the parameters of fragments that stand for calls and routes, also where a fragment hands one of its own on to another. */
export function givenTo(documents: readonly SourceDocument[]): NamedOf {
  const found = new Map<string, Map<string, 'call' | 'route'>>()
  const fragments = documents.flatMap(({ doc }) => (doc.kind === 'fragment' ? [doc] : []))
  for (const doc of fragments) found.set(doc.id, new Map(ownOf(doc)))
  for (let grows = true; grows; ) {
    grows = false
    for (const doc of fragments) {
      const own = found.get(doc.id)!
      for (const { value, kind } of handed(doc, found)) {
        const path = paramIn(value)
        if (path === undefined || own.has(path)) continue
        own.set(path, kind)
        grows = true
      }
    }
  }
  return found
}

/** The calls and routes that the uses in a document hand to fragments, with their places. */
export function* givenIn(doc: AnyDoc, named: NamedOf): Generator<{ need: string; pointer: string }> {
  if (doc.kind !== 'screen' && doc.kind !== 'fragment' && doc.kind !== 'app') return
  for (const { value, kind, pointer } of handed(doc, named)) if (typeof value === 'string') yield { need: `${kind}/${value}`, pointer }
}

const known = new WeakMap<AnyDoc, Facts['uses']>()

/** The uses of a document. They are kept, since the console asks at each key press. */
function usesOf(doc: AnyDoc): Facts['uses'] {
  const uses = known.get(doc) ?? factsOf(doc).uses
  known.set(doc, uses)
  return uses
}

function* handed(doc: AnyDoc, named: NamedOf): Generator<{ value: unknown; kind: 'call' | 'route'; pointer: string }> {
  for (const { use, with: given, pointer } of usesOf(doc))
    for (const [path, kind] of named.get(use) ?? []) {
      const names = path.split('.')
      const value = names.reduce<unknown>((part, name) => (isObject(part) ? part[name] : undefined), given)
      if (value !== undefined) yield { value, kind, pointer: names.reduce(below, `${pointer}/with`) }
    }
}

function* ownOf(doc: AnyDoc & { kind: 'fragment' }): Generator<[string, 'call' | 'route']> {
  const calls = Object.values(doc.data ?? {}).map(({ call }) => call as unknown)
  const { steps } = factsOf(doc)
  for (const value of [...calls, ...steps.map(({ step }) => callOf(step)?.call as unknown)]) {
    const path = paramIn(value)
    if (path !== undefined) yield [path, 'call']
  }
  for (const { step } of steps) {
    const path = 'go' in step ? paramIn(step.go) : undefined
    if (path !== undefined) yield [path, 'route']
  }
}

/** The path below `params` that a value reads, when it is nothing else. */
function paramIn(value: unknown): string | undefined {
  const read = isObject(value) ? value.$ : undefined
  const path = isObject(read) ? read.var : read
  return typeof path === 'string' && path.startsWith('params.') ? path.slice('params.'.length) : undefined
}
