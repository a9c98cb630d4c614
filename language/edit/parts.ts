import { isObject } from '#language/documents/json.ts'
import { type Item, type Rule, type Rules, rulesOf, textRules } from '#language/edit/parts-rules.ts'
import type { DocumentKey } from '#language/publish/release.ts'
import { below } from '#language/text/position.ts'

/**
 * Splits a document or text area into things with ids, which diff and merge compare. Works on any JSON; a part without the expected shape
 * is a plain member.
 */

/** A node, field, entry, route …; the document itself is a thing too. */
export interface Thing {
  /** Unique in the document: `node:bar`; '' for the document. */
  key: string
  /** The readable id; null for the document. */
  id: string | null
  pointer: string
  /** Key of the parent and pointer of the list below it: `node:page\n/slots/body`. */
  home: string
  /** Index in the list. */
  at: number
  value: unknown
  /** Pointer below the thing → value; `record` for an object that is compared member by member. */
  members: Map<string, unknown>
  /** Pointer below the thing → keys of the things there. */
  lists: Map<string, string[]>
  /** Form of each list: `list` ordered · `record` by name · `one` at most one. Same keys as `lists`. */
  forms: Map<string, 'list' | 'record' | 'one'>
  /** Its members are reported as nodes of their own: text keys, colours. */
  named: boolean
}
export const record = Symbol('record')

export type Things = ReadonlyMap<string, Thing>

/** `screen/fund.withdraw` or `texts/en/fund`; `file/<path>` for other files. */
export function documentOf(path: string, json: unknown): DocumentKey | `texts/${string}` {
  const words = /^locales\/([^/]+)\/([^/]+)\.json$/.exec(path)
  if (words) return `texts/${words[1]}/${words[2]}`
  const { kind, id } = isObject(json) ? json : {}
  return typeof kind === 'string' && typeof id === 'string' ? `${kind}/${id}` : `file/${path}`
}

/** Things of a file by key, parents before children. */
export function thingsOf(path: string, json: unknown): Things {
  const things = new Map<string, Thing>()
  const texts = path.startsWith('locales/')
  const kind = isObject(json) && typeof json.kind === 'string' ? json.kind : ''
  collect(
    things,
    { key: '', id: null, pointer: '', home: '', at: 0, value: json },
    texts ? textRules : rulesOf(kind),
    texts || kind === 'theme',
  )
  return things
}

type Start = Pick<Thing, 'key' | 'id' | 'pointer' | 'home' | 'at' | 'value'>

function collect(things: Map<string, Thing>, start: Start, rules: Rules, named = false): void {
  const thing: Thing = { ...start, members: new Map(), lists: new Map(), forms: new Map(), named }
  things.set(thing.key, thing)
  if (!isObject(thing.value)) thing.members.set('', thing.value)
  else for (const [name, value] of Object.entries(thing.value)) member(things, thing, below('', name), value, rules(name))
}

function member(things: Map<string, Thing>, thing: Thing, at: string, value: unknown, rule: Rule): void {
  if (rule !== 'whole' && 'each' in rule && isObject(value)) {
    thing.members.set(at, record)
    for (const [name, part] of Object.entries(value)) member(things, thing, below(at, name), part, rule.each(name))
    return
  }
  const entries = rule === 'whole' || 'each' in rule ? undefined : itemsIn(value, rule.form, rule.item)
  if (rule === 'whole' || 'each' in rule || !entries) {
    thing.members.set(at, value)
    return
  }
  const keys: string[] = []
  thing.forms.set(at, rule.form)
  thing.lists.set(at, keys)
  for (const [index, { name, item, value: part }] of entries.entries()) {
    const id = item.idOf(part, name) as string
    const plain = `${item.space}:${id}`
    let key = plain
    for (let n = 2; things.has(key); n += 1) key = `${plain}#${n}`
    keys.push(key)
    const pointer = thing.pointer + (rule.form === 'one' ? at : below(at, name))
    collect(things, { key, id, pointer, home: `${thing.key}\n${at}`, at: index, value: part }, item.rules)
  }
}

interface Found {
  name: string
  item: Item
  value: unknown
}

/** Undefined when an item of the list has no id; the list is then compared as a whole. */
function itemsIn(value: unknown, form: 'list' | 'record' | 'one', item: (value: unknown) => Item): Found[] | undefined {
  const parts: [string, unknown][] | undefined =
    form === 'one'
      ? isObject(value)
        ? [['', value]]
        : undefined
      : form === 'record'
        ? isObject(value)
          ? Object.entries(value)
          : undefined
        : Array.isArray(value)
          ? value.map((part, i) => [String(i), part])
          : undefined
  const found = parts?.map(([name, part]) => ({ name, item: item(part), value: part }))
  return found?.every((one) => one.item.idOf(one.value, one.name) !== undefined) ? found : undefined
}
