import { withWords } from '#console/editor/document/words-edit.rules.ts'
import { pathOf } from '#console/editor/list/templates.rules.ts'
import { labelOf } from '#console/editor/values/fields.rules.ts'
import { isObject } from '#language/documents/json.ts'
import { formatNow } from '#language/documents/nodes.ts'
import { editText, insertItem, printText } from '#language/edit/edit.ts'
import { usualKeys } from '#language/expression/scope.ts'
import { below } from '#language/text/position.ts'
import type { CallManifest, JsonSchema, TextCatalog } from '#language/types/catalog.ts'
import { withoutNull } from '#language/types/types.ts'
import { countedOf } from '#language/types/units.ts'

/** A list screen with its address, its entry and its texts, made from answers of an operator. */

/** The customers who reach the screen. */
export const audiences = ['everyone', 'customers', 'verified', 'verified_fully'] as const
export type Audience = (typeof audiences)[number]

/** A member of the rows that a screen can show. */
export interface Column {
  name: string
  label: string
  about: string
}

export interface ListScreen {
  call: CallManifest
  /** Arguments that the call needs. */
  args: Readonly<Record<string, string>>
  /** Names of the shown members: the first is the title of a row, the second stands at its end, the others below. */
  columns: readonly string[]
  id: string
  address: string
  /** Language → text. */
  title: Readonly<Record<string, string>>
  audience: Audience
  /** The quick entries that lead to the screen; null: none. */
  entry: { file: string; icon: string } | null
}

type Files = Readonly<Record<string, string>>

/** Schema of the rows of a call that lists; undefined for other calls. */
export function rowsOfCall({ output, reads }: Pick<CallManifest, 'output' | 'reads'>): JsonSchema | undefined {
  const list = reads ? output.properties?.list : undefined
  const row = list?.type === 'array' ? withoutNull(list.items ?? {}) : undefined
  return row?.properties ? row : undefined
}

const paging = ['page', 'size']

/** Arguments without which a call cannot be made, apart from those of pages. */
export const neededBy = ({ input }: Pick<CallManifest, 'input'>): [name: string, schema: JsonSchema][] =>
  Object.entries(input.properties ?? {}).filter(([name]) => (input.required ?? []).includes(name) && !paging.includes(name))

/** Calls from which a list screen can be made: those whose rows have a text to show, and whose answer is a list before all. */
export function listingCalls(calls: readonly CallManifest[]): CallManifest[] {
  return calls.filter((call) => {
    const row = rowsOfCall(call)
    return row !== undefined && columnsOf(call).length > 0 && Object.keys(call.output.properties ?? {}).length <= 4
  })
}

/** The description of a member, without those of how numbers are written. */
const aboutOf = ({ description }: JsonSchema): string =>
  typeof description === 'string' && !/exact decimal|milliseconds since/.test(description) ? description : ''

/** Members of the rows with a single value. */
export function columnsOf(call: CallManifest): Column[] {
  return Object.entries(rowsOfCall(call)?.properties ?? {}).flatMap(([name, written]): Column[] => {
    const type = withoutNull(written)
    const single = type.type === 'string' || type.type === 'integer' || type.type === 'number'
    const picture = /picture|address of|token/.test(String(type.description ?? ''))
    return single && !picture && !/^html$/.test(name) ? [{ name, label: labelOf(name), about: aboutOf(type) }] : []
  })
}

/** The usual choice: a name first, then the time or the amount. */
export function usualColumns(columns: readonly Column[]): string[] {
  const names = columns.map(({ name }) => name)
  const pick = (...wanted: RegExp[]) => wanted.flatMap((one) => names.find((name) => one.test(name)) ?? [])[0]
  const first = pick(/^(?:title|name|nickname|device)$/, /code$/, /symbol/, /name/) ?? names[0]
  const second = pick(/^(?:amount|price|total|profit)$/, /^(?:status|state)$/)
  const third = pick(/^(?:time|created|opened|ended)$/)
  return [...new Set([first, second, third].filter((one): one is string => one !== undefined))]
}

/** The expression of a member of a row as text that customers read. */
function shown(name: string, row: JsonSchema): string {
  const type = withoutNull(row.properties?.[name] ?? {})
  const path = `item.${name}`
  const unit = countedOf(type)?.unit ?? type.unit
  const nullable = type !== row.properties?.[name]
  const read = nullable ? `${path} ?? ''` : path
  if (unit === 'ms') return `format('dateTime', ${path})`
  if (unit === 'price') return `format('price', ${path})`
  if (unit === 'share') return `format('percent', ${path})`
  if (unit === 'rate') return `format('rate', ${path})`
  if (unit === 'amount' || unit === 'money' || type.decimal) return `format('amount', ${path})`
  return type.type === 'string' ? read : `cat(${path})`
}

/** The member that tells rows apart. */
function keyOf(call: CallManifest, row: JsonSchema): string {
  const own = call.output.properties?.list?.key
  const names = Object.keys(row.properties ?? {})
  return own ?? usualKeys.find((name) => names.includes(name)) ?? names[0] ?? 'id'
}

/** Whether the rows come page after page. */
export const isPaged = ({ input, output }: Pick<CallManifest, 'input' | 'output'>): boolean =>
  input.properties?.page !== undefined && output.properties?.total !== undefined

/** The screen document. @param key of its title */
export function screenOf(
  { call, args, columns, id }: Pick<ListScreen, 'call' | 'args' | 'columns' | 'id'>,
  key: string,
): Record<string, unknown> {
  const row = rowsOfCall(call) ?? {}
  const depth = pathOf('screen', id).split('/').length - 2
  const [first = '', second, ...others] = columns
  const joined = others.map((name) => shown(name, row))
  const note = joined.length === 1 ? joined[0] : `cat(${joined.join(", ' · ', ")})`
  const paged = isPaged(call)
  const given = Object.keys(args).length > 0
  return {
    $schema: `${'../'.repeat(depth)}meta/screen.schema.json`,
    kind: 'screen',
    id,
    format: formatNow,
    title: { $t: key },
    data: { rows: { call: call.name, ...(given && { args: { ...args } }), ...(paged && { pages: true }) } },
    body: [
      {
        id: 'list',
        widget: 'list',
        props: {
          label: { $t: key },
          ...(paged && { more: { $: 'data.rows.more' }, loadingMore: { $: 'data.rows.loadingMore' } }),
        },
        ...(paged && { on: { end: [{ more: 'rows' }] } }),
        slots: {
          row: [
            {
              id: 'row',
              widget: 'row',
              props: {
                title: { $: shown(first, row) },
                ...(second !== undefined && { value: { $: shown(second, row) } }),
                ...(others.length > 0 && { note: { $: note } }),
              },
              repeat: { each: { $: 'data.rows.list' }, key: keyOf(call, row) },
            },
          ],
        },
      },
    ],
  }
}

/** The route of a screen for an audience. */
function routeOf({ id, audience, call }: Pick<ListScreen, 'id' | 'audience' | 'call'>): Record<string, unknown> {
  const level = audience === 'verified' ? 1 : audience === 'verified_fully' ? 2 : undefined
  const auth = audience !== 'everyone' || call.auth === 'user'
  return { screen: id, ...(auth && { auth: true }), ...(level !== undefined && { kyc: level }) }
}

const guards: Readonly<Record<Audience, readonly [segment: string, otherwise: string] | undefined>> = {
  everyone: undefined,
  customers: ['customers', 'session.logged_in'],
  verified: ['verified', 'session.kyc >= 1'],
  verified_fully: ['verified_fully', 'session.kyc >= 2'],
}

/**
 * All files of a list screen: the document, the route, the entry and the texts.
 * @param segments ids of the segments of the app; a guard uses the segment where there is one
 */
export function filesOfListScreen(files: Files, wanted: ListScreen, key: string, segments: readonly string[]): Record<string, string> {
  const made: Record<string, string> = { [pathOf('screen', wanted.id)]: printText(screenOf(wanted, key)) }
  for (const [language, words] of Object.entries(wanted.title)) {
    if (words.trim() === '') continue
    const { path, text } = withWords({ ...files, ...made }, key, language, words.trim())
    made[path] = text
  }
  const routes = 'schemas/routes.json'
  made[routes] = editText(files[routes] ?? '{}', below('/routes', wanted.address), routeOf(wanted))
  if (wanted.entry) {
    const { file, icon } = wanted.entry
    const entries = (JSON.parse(files[file] ?? '{}') as { entries?: unknown[] }).entries ?? []
    const guard = guards[wanted.audience]
    const show = guard && (segments.includes(guard[0]) ? `segment.${guard[0]}` : guard[1])
    const entry = { id: entryId(wanted.id, entries), icon, label: { $t: key }, to: wanted.address, ...(show && { show }) }
    made[file] = insertItem(files[file] ?? '', '/entries', entries.length, entry)
  }
  return made
}

function entryId(id: string, entries: readonly unknown[]): string {
  const taken = new Set(entries.map((one) => (isObject(one) ? one.id : undefined)))
  const stem = id.replaceAll(/[^A-Za-z0-9]+/g, '_')
  for (let n = 1; ; n += 1) if (!taken.has(n === 1 ? stem : `${stem}_${n}`)) return n === 1 ? stem : `${stem}_${n}`
}

/** A free id for a screen: the area of the call and the words of the title. */
export function proposedId(call: string, title: string, files: Files): string {
  const area = (call.split('.')[0] ?? 'app').replaceAll(/[^a-z0-9]/gi, '')
  const words = title
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .split('_')
    .slice(0, 3)
    .join('_')
  const stem = `${area}.${words || 'list'}`
  for (let n = 1; ; n += 1) {
    const id = n === 1 ? stem : `${stem}_${n}`
    if (files[pathOf('screen', id)] === undefined) return id
  }
}

/** Languages of the app that lack a title. */
export const lackingIn = (title: Readonly<Record<string, string>>, texts: TextCatalog): string[] =>
  Object.keys(texts).filter((language) => (title[language] ?? '').trim() === '')
