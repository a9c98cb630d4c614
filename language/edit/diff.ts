import { parse } from '#language/documents/parse.ts'
import { documentOf, record, type Thing, type Things, thingsOf } from '#language/edit/parts.ts'
import { createShown, type Shown } from '#language/edit/shown.ts'
import { canonical } from '#language/publish/canonical.ts'
import type { Change, DocumentDiff } from '#language/publish/publishing.ts'
import { readJson } from '#language/text/expression-texts.ts'
import { segmentsOf } from '#language/text/position.ts'
import type { Catalog } from '#language/types/catalog.ts'

/** Source files by path: `schemas/…json`, `locales/<language>/<area>.json`. */
export type Files = Readonly<Record<string, string>>

/**
 * Semantic difference of two sets of sources. Nodes, fields, entries, routes and text keys are matched by id, wherever they are. Sorted by
 * path. Never throws: a file that cannot be read is compared as a whole.
 *
 * - things (node, use, field, entry, route, source, row, language …): `added`, `removed` (the outermost only), `moved` (`before` and
 * `after` are `{in, at}`: pointer of the list, and index in it), `renamed` (`before` and `after` are ids; everything else is equal)
 * - members of things (`props.title`, `show`, `on.press`): `changed`; `before` or `after` is absent when the member was absent
 * - text keys and colours are `node`s without a member: `added`, `removed`, `changed`
 * - a file whose text differs but means the same (white space, order of names) has no changes
 * @param catalog the widgets, which define the documents that their props refer to
 */
export function diffSets(before: Files, after: Files, catalog: Catalog): DocumentDiff[] {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort().filter((path) => before[path] !== after[path])
  if (paths.length === 0) return []
  const shownIn = (files: Files) => {
    let made: Shown | undefined
    return () => (made ??= createShown(documentsOf(files), catalog))
  }
  const [old, now] = [shownIn(before), shownIn(after)]
  return paths.map((path) => diffOf(path, before[path], after[path], old, now))
}

function documentsOf(files: Files) {
  const sources = Object.entries(files).filter(([path]) => path.startsWith('schemas/') && !/^schemas\/(?:meta|flows)\//.test(path))
  return parse(sources.map(([file, text]) => ({ file, text }))).documents
}

function diffOf(path: string, before: string | undefined, after: string | undefined, old: () => Shown, now: () => Shown): DocumentDiff {
  const [from, to] = [before, after].map((text) => (text === undefined ? undefined : (readJson(text) ?? text)))
  const document = documentOf(path, after === undefined ? from : to)
  const state = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed'
  const whole = state !== 'changed' || typeof from === 'string' || typeof to === 'string'
  const about = { path, document, pointer: '', node: null, member: '' }
  const changes: Change[] = whole
    ? [{ ...about, kind: state, ...(before !== undefined && { before: from }), ...(after !== undefined && { after: to }) }]
    : changesOf(thingsOf(path, from), thingsOf(path, to)).map((change) => ({ path, document, ...change }))
  const screens = screensOf(document, whole ? [from, to] : changes, state === 'removed' ? [old()] : [now(), old()])
  return { path, document, state, changes, screens }
}

/** @param found changes, or whole documents for an added or removed file */
function screensOf(document: string, found: readonly unknown[], shown: readonly Shown[]): string[] {
  const isTexts = document.startsWith('texts/')
  if (!isTexts && document !== 'routes/routes') return union(shown, (one) => one.document(document))
  const named = found.flatMap((one) => {
    // An added or removed file has one side only.
    if (one === undefined) return []
    const { node, pointer } = one as Partial<Change>
    if (isTexts) return node ? [node] : [...thingsOf('locales/', one).values()].flatMap(keysOf)
    if (pointer) return segmentsOf(pointer).slice(1, 2)
    return [...thingsOf('', one).values()].flatMap(({ key, id }) => (key.startsWith('route:') && id !== null ? [id] : []))
  })
  const area = document.split('/')[2]
  return union(shown, (one) => (isTexts ? one.texts(named.map((key) => `${area}.${key}`)) : one.routes(named)))
}

function keysOf({ members }: Thing): string[] {
  return [...members].flatMap(([at, value]) => (typeof value === 'string' ? [segmentsOf(at).join('.')] : []))
}

function union(shown: readonly Shown[], of: (one: Shown) => string[]): string[] {
  return [...new Set(shown.flatMap(of))].sort()
}

type Found = Omit<Change, 'path' | 'document'>

/** All differences between two states of a document, in the order of the newer state; removed things come last. */
export function changesOf(before: Things, after: Things): Found[] {
  const renamed = renames(before, after)
  const original = new Map([...renamed].map(([old, now]) => [now, old]))
  const home = (old: string) => {
    const [parent = '', at = ''] = old.split('\n')
    return old === '' ? '' : `${renamed.get(parent) ?? parent}\n${at}`
  }
  const changes: Found[] = []
  const moved = outOfOrder(before, after, home)
  for (const thing of after.values()) {
    const old = before.get(original.get(thing.key) ?? thing.key)
    const about = { pointer: thing.pointer, node: thing.id, member: '' }
    if (!old) {
      const parent = parentOf(thing)
      if (before.has(original.get(parent) ?? parent)) changes.push({ kind: 'added', ...about, after: thing.value })
      continue
    }
    if (original.has(thing.key)) changes.push({ kind: 'renamed', ...about, before: old.id, after: thing.id })
    if (home(old.home) !== thing.home || moved.has(thing.key))
      changes.push({ kind: 'moved', ...about, before: placeOf(old), after: placeOf(thing) })
    changes.push(...memberChanges(old, thing))
  }
  for (const old of before.values()) {
    const isGone = (key: string) => before.has(key) && !after.has(renamed.get(key) ?? key)
    if (isGone(old.key) && !isGone(parentOf(old)))
      changes.push({ kind: 'removed', pointer: old.pointer, node: old.id, member: '', before: old.value })
  }
  return changes
}

function parentOf({ home }: Thing): string {
  return home.split('\n', 1)[0] as string
}

function placeOf({ at, pointer }: Thing): { in: string; at: number } {
  return { in: pointer.slice(0, pointer.lastIndexOf('/')), at }
}

function memberChanges(old: Thing, thing: Thing): Found[] {
  const found: Found[] = []
  const tell = (at: string, change: Pick<Found, 'before' | 'after'>, pointer: string) => {
    const name = segmentsOf(at).join('.')
    if (!(thing.named && name !== '')) return void found.push({ kind: 'changed', pointer, node: thing.id, member: name, ...change })
    const kind = !('before' in change) ? 'added' : !('after' in change) ? 'removed' : 'changed'
    found.push({ kind, pointer, node: name, member: '', ...change })
  }
  for (const [at, value] of thing.members) {
    if (value === record || isOwnId(thing, at)) continue
    const was = old.members.get(at)
    if (!old.members.has(at) || was === record) tell(at, { after: value }, thing.pointer + at)
    else if (canonical(was) !== canonical(value)) tell(at, { before: was, after: value }, thing.pointer + at)
  }
  for (const [at, was] of old.members) {
    if (was === record || isOwnId(old, at)) continue
    const now = thing.members.get(at)
    if (!thing.members.has(at) || now === record) tell(at, { before: was }, old.pointer + at)
  }
  return found
}

const idNames = ['/id', '/name', '/as']

/** A change of the id is reported as `renamed`. */
function isOwnId({ id, members }: Thing, at: string): boolean {
  return id !== null && idNames.includes(at) && members.get(at) === id
}

/** Old key → new key of things that differ only in their id, at the same place. */
function renames(before: Things, after: Things): Map<string, string> {
  const found = new Map<string, string>()
  const taken = new Set<string>()
  const waiting = new Map<string, Thing[]>()
  const sign = (thing: Thing, parent: string) => {
    const members = [...thing.members]
      .filter(([at]) => !isOwnId(thing, at))
      .map(([at, value]) => `${at}=${value === record ? '' : canonical(value)}`)
    return [thing.key.split(':', 1)[0], parent, thing.home.split('\n')[1], ...members.sort(), ...[...thing.lists.values()].flat()].join(
      '\n',
    )
  }
  for (const thing of after.values()) {
    if (before.has(thing.key) || thing.members.has('')) continue
    const key = sign(thing, parentOf(thing))
    waiting.set(key, [...(waiting.get(key) ?? []), thing])
  }
  if (waiting.size === 0) return found
  for (const old of before.values()) {
    if (after.has(old.key) || old.members.has('')) continue
    const parent = parentOf(old)
    const candidates = (waiting.get(sign(old, found.get(parent) ?? parent)) ?? []).filter(({ key }) => !taken.has(key))
    const match = candidates.find(({ at }) => at === old.at) ?? candidates[0]
    if (!match) continue
    found.set(old.key, match.key)
    taken.add(match.key)
  }
  return found
}

/** The smallest set of things of a list whose order changed among those that stay in it. */
function outOfOrder(before: Things, after: Things, home: (old: string) => string): Set<string> {
  const out = new Set<string>()
  for (const thing of after.values()) {
    for (const [at, keys] of thing.lists) {
      if (thing.forms.get(at) !== 'list') continue
      const here = `${thing.key}\n${at}`
      const stayed = keys.filter((key) => {
        const old = before.get(key)
        return old !== undefined && home(old.home) === here
      })
      const kept = new Set(longestRising(stayed.map((key) => (before.get(key) as Thing).at)))
      stayed.forEach((key, i) => void (kept.has(i) || out.add(key)))
    }
  }
  return out
}

/** Indices of a longest increasing subsequence. */
function longestRising(numbers: readonly number[]): number[] {
  const tails: number[] = []
  const previous: number[] = []
  numbers.forEach((value, i) => {
    let low = 0
    let high = tails.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((numbers[tails[middle] as number] as number) < value) low = middle + 1
      else high = middle
    }
    previous[i] = low > 0 ? (tails[low - 1] as number) : -1
    tails[low] = i
  })
  const found: number[] = []
  for (let i = tails.at(-1) ?? -1; i >= 0; i = previous[i] as number) found.unshift(i)
  return found
}
