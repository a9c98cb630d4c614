import type { Kind } from '#language/documents/documents.ts'
import { limits } from '#language/documents/limits.ts'
import { nearest } from '#language/documents/nearest.ts'
import { segmentRoots } from '#language/documents/segments.ts'
import { readsOf } from '#language/lint/circles.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'
import { below } from '#language/text/position.ts'
import type { LintProblem } from '#language/types/catalog.ts'

/** Documents that every app needs, with their files. */
const needed = { app: 'schemas/app.json', routes: 'schemas/routes.json', theme: 'schemas/theme.json' } as const satisfies Partial<
  Record<Kind, string>
>

/** Checks that a set has every document that an app needs. */
export const kinds: Check = function* (world) {
  for (const [kind, file] of Object.entries(needed))
    if (!world.entries.some(({ doc }) => doc.kind === kind))
      yield {
        check: 'kinds',
        severity: 'error',
        file,
        line: 1,
        pointer: '',
        message: `there is no ${kind} document; an app cannot start without it`,
      }
}

/** Checks that ids are unique in a document, fragments included, and that the document respects its limits. */
export const ids: Check = function* (world) {
  for (const entry of world.entries) {
    const { nodes } = entry.facts
    const seen = new Map<string, string>()
    for (const { node, pointer, fragment, depth, field } of nodes) {
      const other = seen.get(node.id)
      const at = fragment === undefined ? `${pointer}/${field ? 'name' : 'id'}` : pointer
      if (other !== undefined) {
        const more = fragment === undefined ? `${node.id}-2` : undefined
        const whence = fragment === undefined ? '' : ` (from fragment "${fragment}"; give the use a name with "as")`
        yield world.report('ids', entry, at, `the id "${node.id}" is already used at ${other}${whence}`, { suggestion: more })
      } else seen.set(node.id, pointer)
      if (depth === limits.nodeDepthMax + 1)
        yield world.report('ids', entry, pointer, `nodes are nested at most ${limits.nodeDepthMax} levels deep`)
    }
    if (nodes.length > limits.nodesPerScreenMax)
      yield world.report('ids', entry, '/body', `a document has at most ${limits.nodesPerScreenMax} nodes`)
    yield* twice(world, entry)
  }
}

/** Finds duplicate ids in lists other than nodes. */
function* twice(world: World, entry: Entry): Generator<LintProblem> {
  const { doc } = entry
  const lists: [pointer: string, parts: readonly { id: string }[]][] = []
  if (doc.kind === 'quick-entries') lists.push(['/entries', doc.entries])
  if (doc.kind === 'app') lists.push(['/languages', doc.languages])
  if (doc.kind === 'form') lists.push(['/groups', doc.groups ?? []], ['/pages', doc.pages ?? []])
  for (const [pointer, parts] of lists) {
    const known = parts.map(({ id }) => id)
    for (const [i, id] of known.entries())
      if (known.indexOf(id) < i)
        yield world.report('ids', entry, `${pointer}/${i}/id`, `the id "${id}" is already used at ${pointer}/${known.indexOf(id)}`, {
          suggestion: `${id}-2`,
        })
  }
}

/** Checks app.json: defaults are among the options, routes among its constants exist, and languages have valid BCP 47 tags. */
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
  for (const [name, { test }] of Object.entries(entry.doc.segments ?? {})) {
    const other = readsOf({ $: test }).find((path) => !(segmentRoots as readonly string[]).includes(path.split(/[.[]/, 1)[0] ?? ''))
    if (other !== undefined && other !== 'clock')
      yield world.report(
        'app',
        entry,
        below(below('/segments', name), 'test'),
        `a segment reads session, device and app only, not "${other}"`,
      )
  }
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

/** Normalizes an address: without `#` and surrounding slashes, in lower case. */
const plain = (path: string) => path.replace(/^[#/]+|\/+$/g, '').toLowerCase()

/** Checks that routes show existing screens, that paths and aliases are unique, and that pages to which the app itself leads are not left out. */
export const routes: Check = function* (world) {
  if (!world.routes) return
  const { entry, routes } = world.routes
  const screens = world.ids('screen')
  const taken = new Map<string, string>()
  const needed = Object.entries(world.app?.constants ?? {}).flatMap(([name, path]) =>
    name.endsWith('Route') ? [world.route(String(path))] : [],
  )
  for (const path of Object.keys(routes)) {
    const holder = taken.get(plain(path))
    if (holder === undefined) taken.set(plain(path), path)
    else
      yield world.report(
        'routes',
        entry,
        below('/routes', path),
        `the address is taken: ${holder} shows the screen "${routes[holder]?.screen}"`,
      )
  }
  for (const [path, route] of Object.entries(routes)) {
    const { screen, aliases = [], off } = route
    const at = below('/routes', path)
    if (off && (plain(path) === '' || needed.includes(route)))
      yield world.report('routes', entry, `${at}/off`, `the app leads to ${path} by itself, so it cannot be left out`)
    if (!screens.includes(screen))
      yield world.report('routes', entry, `${at}/screen`, `there is no screen "${screen}"`, { suggestion: nearest(screen, screens) })
    for (const [i, alias] of aliases.entries()) {
      const other = taken.get(plain(alias))
      if (other !== undefined) yield world.report('routes', entry, `${at}/aliases/${i}`, `"${alias}" already leads to ${other}`)
      else taken.set(plain(alias), path)
    }
  }
}

/** Checks that the tab of a route exists, and that every tab leads to a route that selects it. */
export const tabs: Check = function* (world) {
  const list = world.app?.tabBar.props?.list
  const entry = typeof list === 'string' ? world.find('quick-entries', list) : undefined
  if (entry?.doc.kind !== 'quick-entries' || !world.routes) return
  const ids = entry.doc.entries.map(({ id }) => id)
  if (ids.length > 0 && entry.doc.entries.every(({ hidden }) => hidden === true))
    yield world.report('tabs', entry, '/entries', 'all entries of the tab bar are hidden: customers could not change the page')
  for (const [path, { tab }] of Object.entries(world.routes.routes)) {
    if (tab !== undefined && !ids.includes(tab)) {
      yield world.report('tabs', world.routes.entry, `${below('/routes', path)}/tab`, `the tab bar has no entry "${tab}"`, {
        suggestion: nearest(tab, ids),
      })
    }
  }
  for (const [i, { id, to }] of entry.doc.entries.entries()) {
    const route = world.route(to)
    if (route && route.tab !== id)
      yield world.report('tabs', entry, `/entries/${i}/to`, `"${to}" does not select the tab "${id}"`, {
        suggestion: `"tab": "${id}" in the route`,
      })
  }
}

/** Matches addresses that run code or contain data. */
const runs = /^[\s\p{C}]*(?:javascript|vbscript|data)\s*:/iu
/**
 * Props that show a picture. Pictures must come from the server of the app: another host would see who loads them, and the page's policy
 * blocks them.
 */
const pictures = new Set(['src', 'image'])
const elsewhere = /^\s*(?:[a-z][a-z0-9+.-]*:|[\\/]{2})/i

/** Checks that addresses in documents do not run code, and that pictures come from the server of the app. */
export const addresses: Check = function* (world) {
  for (const entry of world.entries) {
    const places = [
      ...entry.own.nodes.map(({ node, pointer }) => ({ value: node.props as unknown, pointer: `${pointer}/props` })),
      ...entry.own.steps.flatMap(({ step, pointer }) =>
        'link' in step ? [{ value: step.link as unknown, pointer: `${pointer}/link` }] : [],
      ),
    ]
    for (const { value, pointer } of places)
      for (const one of literals(value, pointer)) {
        if (runs.test(one.text)) yield world.report('addresses', entry, one.pointer, 'an address must not contain code')
        else if (pictures.has(one.name) && elsewhere.test(one.text))
          yield world.report(
            'addresses',
            entry,
            one.pointer,
            'a picture comes from the server of the app: give its path, such as /pictures/coin.png',
          )
      }
  }
}

/** All texts in a value, also inside expressions, with the name of their member. */
function* literals(value: unknown, pointer: string, name = ''): Generator<{ text: string; name: string; pointer: string }> {
  if (typeof value === 'string') yield { text: value, name, pointer }
  else if (typeof value === 'object' && value !== null)
    for (const [key, part] of Object.entries(value))
      yield* literals(part, below(pointer, key), Array.isArray(value) || /^[^a-z]/i.test(key) || key === 'if' ? name : key)
}
