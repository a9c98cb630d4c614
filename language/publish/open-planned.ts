import type { AnyDoc, RoutesDoc } from '#language/documents/documents.ts'
import { canonical } from '#language/publish/canonical.ts'
import type { Catalog, PreparedDocument } from '#language/types/catalog.ts'

/** Every call that a document names, wherever it stands. */
export function callsIn(value: unknown, found: Set<string> = new Set()): Set<string> {
  if (Array.isArray(value)) for (const part of value) callsIn(part, found)
  else if (typeof value === 'object' && value !== null)
    for (const [name, part] of Object.entries(value)) {
      if ((name === 'call' || name === 'export') && typeof part === 'string') found.add(part)
      callsIn(part, found)
    }
  return found
}

/**
 * Opens the pages that live on planned calls although their routes are off: for flows, state tests, the preview and a development server, which
 * show them before a server answers. Other pages stay as they are.
 */
export function openPlanned(prepared: readonly PreparedDocument[], { calls }: Pick<Catalog, 'calls'>): PreparedDocument[] {
  const planned = new Set(calls.flatMap((call) => (call.planned ? call.name : [])))
  const byKey = new Map(prepared.map((one) => [one.key as string, one]))
  const names = ({ doc }: PreparedDocument) => [...callsIn(doc)].some((name) => planned.has(name))
  const isPlanned = (screen: string) => {
    const one = byKey.get(`screen/${screen}`)
    return one !== undefined && [one, ...one.computed.uses.flatMap((key) => byKey.get(key) ?? [])].some(names)
  }
  return prepared.map((one) => {
    if (planned.size === 0 || one.doc.kind !== 'routes') return one
    const routes = Object.entries((one.doc as RoutesDoc).routes).map(([path, { off, ...route }]) => {
      const isOff = off !== undefined && !isPlanned(route.screen)
      return [path, isOff ? { ...route, off } : route] as const
    })
    const doc = { ...one.doc, routes: Object.fromEntries(routes) } as AnyDoc
    return { ...one, doc, canonical: canonical(doc) }
  })
}
