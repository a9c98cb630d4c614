import type { ParamDoc, RouteDoc, RoutesDoc } from '#language/documents/documents.ts'
import { paramValue } from '#language/documents/param-values.ts'

export interface MatchedRoute {
  /** Path as the routes document names it. */
  path: string
  route: RouteDoc
}

const trim = (path: string) => path.replace(/^\/+|\/+$/g, '')

/** Finds routes by path or alias; slashes around do not matter. */
export function createRouter(doc: RoutesDoc): (path: string) => MatchedRoute | undefined {
  const table = new Map<string, MatchedRoute>()
  for (const [path, route] of Object.entries(doc.routes)) {
    for (const name of [path, ...(route.aliases ?? [])]) table.set(trim(name), { path, route })
  }
  return (path) => table.get(trim(path))
}

/**
 * A query string against the parameters that the screen declares. Parameters that are not declared are left out.
 * @returns the values, or the name of the first that is missing or wrong
 */
export function readParams(
  declared: Record<string, ParamDoc> | undefined,
  query: URLSearchParams,
): { params: Record<string, unknown> } | { wrong: string } {
  const params: Record<string, unknown> = {}
  for (const [name, param] of Object.entries(declared ?? {})) {
    const text = query.get(name)
    if (text === null || text === '') {
      if (param.default !== undefined) params[name] = param.default
      else if (param.required) return { wrong: name }
      continue
    }
    const value = paramValue(text, param)
    if (value === undefined) return { wrong: name }
    params[name] = value
  }
  return { params }
}

/** Address of a route inside the hash. Parameters that are undefined or null are left out. */
export function addressOf(path: string, params: Record<string, unknown> = {}): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) if (value !== undefined && value !== null) query.set(name, String(value))
  const text = query.toString()
  return `/${trim(path)}${text ? `?${text}` : ''}`
}
