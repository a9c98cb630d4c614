import type { NameKind } from '#console/editor/values/fields.rules.ts'
import { isObject } from '#language/documents/json.ts'
import type { Catalog, JsonSchema, TextCatalog } from '#language/types/catalog.ts'
import { promptParams } from '#language/types/prompt-params.ts'

/** Every name that a document may use, in the current state of the draft. Pickers and completions read it. */
export interface Known {
  catalog: Catalog
  /** Meta schema by kind. */
  schemas: Readonly<Record<string, JsonSchema>>
  /** Ids by kind. Ids that a document declares itself (nodes, sources) are added where it is edited. */
  names: Readonly<Partial<Record<NameKind, readonly string[]>>>
  /** Parameters by screen, fragment, validation and prompt: `screen/market`, `fragment/content`, `prompt/withdraw`. */
  params: Readonly<Record<string, JsonSchema>>
  /** Screen by route or alias. */
  screenOf: Readonly<Record<string, string>>
  /** Text keys with their texts in the operator's language. */
  words: Readonly<Record<string, string>>
  texts: TextCatalog
  languages: readonly string[]
  /** Labels of the app's languages, as they call themselves. */
  languageLabels: Readonly<Record<string, string>>
  /** Labels of the app's segments of customers, by id, in the operator's language. */
  segments: Readonly<Record<string, string>>
  /** Id of the quick entries that the tab bar shows; undefined without a tab bar. */
  tabList: string | undefined
  /** Names of screen state and of stored device values, as the `set` step may write them. */
  device: readonly string[]
}

/** Reads all documents; unreadable ones are left out. */
export function knownOf(docs: Iterable<unknown>, texts: TextCatalog, catalog: Catalog, schemas: Known['schemas'], language: string): Known {
  const ids: Record<string, string[]> = {}
  const params: Record<string, JsonSchema> = {}
  const screenOf: Record<string, string> = {}
  let languages = Object.keys(texts)
  let device: string[] = []
  let languageLabels: Record<string, string> = {}
  let segments: [id: string, label: unknown][] = []
  let tabList: string | undefined
  const tabs: string[] = []
  for (const doc of docs) {
    if (!isObject(doc) || typeof doc.kind !== 'string' || typeof doc.id !== 'string') continue
    ids[doc.kind] ??= []
    ids[doc.kind]?.push(doc.id)
    if (doc.kind === 'screen' || doc.kind === 'fragment' || doc.kind === 'validation')
      params[`${doc.kind}/${doc.id}`] = paramSchema(doc.params)
    if (doc.kind === 'prompt') params[`prompt/${doc.id}`] = promptSchema(doc, schemas.prompt)
    if (doc.kind === 'routes' && isObject(doc.routes))
      for (const [path, route] of Object.entries(doc.routes)) addRoute(screenOf, path, route)
    if (doc.kind === 'quick-entries' && doc.id === 'tabs' && Array.isArray(doc.entries))
      for (const entry of doc.entries) if (isObject(entry) && typeof entry.id === 'string') tabs.push(entry.id)
    if (doc.kind === 'app') {
      if (Array.isArray(doc.languages))
        languages = doc.languages.flatMap((one) => (isObject(one) && typeof one.id === 'string' ? [one.id] : []))
      if (Array.isArray(doc.languages))
        languageLabels = Object.fromEntries(doc.languages.flatMap((one) => (isObject(one) ? [[String(one.id), String(one.label)]] : [])))
      const tabBar = isObject(doc.tabBar) && isObject(doc.tabBar.props) ? doc.tabBar.props.list : undefined
      if (typeof tabBar === 'string') tabList = tabBar
      if (isObject(doc.segments))
        segments = Object.entries(doc.segments).flatMap(([id, one]) => (isObject(one) ? [[id, one.label] as [string, unknown]] : []))
      if (isObject(doc.device)) device = Object.keys(doc.device).map((name) => `device.${name}`)
    }
  }
  const words = wordsIn(texts, language)
  return {
    catalog,
    schemas,
    names: {
      ...ids,
      route: Object.keys(screenOf),
      tab: tabs,
      icon: catalog.icons,
      call: catalog.calls.map(({ name }) => name),
      read: catalog.calls.filter(({ reads }) => reads).map(({ name }) => name),
      widget: catalog.widgets.map(({ type }) => type),
    },
    params,
    screenOf,
    words,
    texts,
    languages,
    languageLabels,
    segments: Object.fromEntries(segments.map(([id, label]) => [id, spoken(label, words) || id])),
    tabList,
    device,
  }
}

function addRoute(screenOf: Record<string, string>, path: string, route: unknown): void {
  if (!isObject(route) || typeof route.screen !== 'string') return
  screenOf[path] = route.screen
  if (Array.isArray(route.aliases)) for (const alias of route.aliases) if (typeof alias === 'string') screenOf[alias] = route.screen
}

/** Declared parameters as an object schema. */
function paramSchema(params: unknown): JsonSchema {
  const properties: Record<string, JsonSchema> = {}
  const required: string[] = []
  for (const [name, param] of Object.entries(isObject(params) ? params : {})) {
    if (!isObject(param)) continue
    const type = param.type
    if (type === 'enum') properties[name] = { type: 'string', enum: Array.isArray(param.values) ? param.values : [] }
    else properties[name] = type === 'decimal' ? { type: 'string', decimal: true } : { type: typeof type === 'string' ? type : 'string' }
    if (param.required === true) required.push(name)
  }
  return { type: 'object', properties, required }
}

const paramsBefore = new WeakMap<object, readonly string[]>()

/** Parameters that a prompt reads: values of any type, all required. Its title may read a parameter as well. */
function promptSchema(prompt: object, meta: JsonSchema | undefined): JsonSchema {
  const names = paramsBefore.get(prompt) ?? promptParams(prompt)
  paramsBefore.set(prompt, names)
  const value = meta?.properties?.title ?? {}
  return { type: 'object', properties: Object.fromEntries(names.map((name) => [name, value])), required: [...names] }
}

const wordsBefore = new WeakMap<TextCatalog, Map<string, Readonly<Record<string, string>>>>()

/** Texts by full key (`home.news`) in one language; English fills missing ones. The same object for the same texts. */
export function wordsIn(texts: TextCatalog, language: string): Readonly<Record<string, string>> {
  const made = wordsBefore.get(texts) ?? new Map<string, Readonly<Record<string, string>>>()
  wordsBefore.set(texts, made)
  const before = made.get(language)
  if (before) return before
  const words: Record<string, string> = {}
  made.set(language, words)
  for (const lng of ['en', language])
    for (const [area, keys] of Object.entries(texts[lng] ?? {}))
      for (const [key, text] of Object.entries(keys)) words[`${area}.${key}`] = text
  return words
}

/** A value of a document for people to read: its text, its path, or the value itself. */
export function spoken(value: unknown, words: Readonly<Record<string, string>>): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (!isObject(value)) return ''
  if (typeof value.$t === 'string') return spokenText(value, value.$t, words)
  return typeof value.$ === 'string' ? `{${value.$}}` : ''
}

/** A text with its arguments inserted; a computed argument is shown as its path. */
function spokenText(given: Readonly<Record<string, unknown>>, key: string, words: Readonly<Record<string, string>>): string {
  const forms = [key, ...(typeof given.context === 'string' ? [`${key}_${given.context}`] : []), `${key}_other`]
  const found = forms.map((form) => words[form]).find((text) => text !== undefined) ?? key
  return found.replaceAll(/\{\{\s*([\w-]+)[^{}]*\}\}/g, (written, name: string) =>
    Object.hasOwn(given, name) ? spoken(given[name], words) || written : written,
  )
}
