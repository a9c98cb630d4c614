import type { Json } from '#language/documents/documents.ts'
import { isObject } from '#language/documents/json.ts'

/** Migrates documents of earlier widgets or an earlier version of the language to the current ones. */

type Members = { [name: string]: Json }
export type Props = Record<string, unknown>

/** One migration for each earlier version, by the version that it starts from. */
export interface Migrations {
  /** From a version of the language to the next one. */
  formats: Readonly<Record<number, (doc: Members) => Members>>
  /** Type of a widget → migration of its props from a major version to the next one. */
  widgets: Readonly<Record<string, Readonly<Record<number, (props: Props) => Props>>>>
}

/** Target versions of a migration. */
export interface Target {
  format: number
  /** Major version of each widget. */
  majors: ReadonlyMap<string, number>
}

/** A migration is missing. */
export class NoWay extends Error {}

/** @throws NoWay when a migration is missing */
export function migrateProps(type: string, from: number, to: number, props: Props, { widgets }: Migrations): Props {
  let made = props
  for (let major = from; major < to; major += 1) {
    const step = widgets[type]?.[major]
    if (!step) throw new NoWay(`nothing leads from ${type}@${major} to ${type}@${major + 1}`)
    made = step(made)
  }
  return made
}

/** @throws NoWay when a migration is missing */
export function migrateFormat(doc: Json, to: number, { formats }: Migrations): Json {
  let made = doc
  while (isObject<Json>(made) && typeof made.format === 'number' && made.format < to) {
    const { format } = made
    const step = formats[format]
    if (!step) throw new NoWay(`nothing leads from format ${format} to format ${format + 1}`)
    made = { ...step(made), format: format + 1 }
  }
  return made
}

/**
 * Migrates a document to the current versions. A current document is returned unchanged.
 * @param written major versions for which nodes without a version were published
 * @throws NoWay when a migration is missing
 */
export function migrateDocument(doc: Json, target: Target, migrations: Migrations, written: ReadonlyMap<string, number>): Json {
  const walk = (part: Json): Json => {
    if (Array.isArray(part)) return same(part, part.map(walk))
    if (!isObject<Json>(part)) return part
    const inside = Object.fromEntries(Object.entries(part).map(([name, one]) => [name, walk(one)]))
    const made = Object.keys(part).every((name) => part[name] === inside[name]) ? part : inside
    return typeof made.widget === 'string' ? node(made, made.widget) : made
  }
  const node = (made: Members, widget: string): Json => {
    const [type = '', major] = widget.split('@')
    const to = target.majors.get(type)
    const from = major === undefined ? (written.get(type) ?? to) : Number(major)
    if (to === undefined || from === undefined || from >= to) return made
    const props = migrateProps(type, from, to, isObject<Json>(made.props) ? made.props : {}, migrations) as Members
    return { ...made, widget: `${type}@${to}`, ...((made.props !== undefined || Object.keys(props).length > 0) && { props }) }
  }
  return walk(migrateFormat(doc, target.format, migrations))
}

const same = (before: Json[], after: Json[]): Json[] => (before.every((one, i) => one === after[i]) ? before : after)

/** Earlier versions of the language and of widgets without a migration. */
export function lackingSteps({ format, majors }: Target, { formats, widgets }: Migrations): string[] {
  const before = (version: number) => Array.from({ length: version - 1 }, (_, i) => i + 1)
  return [
    ...before(format).flatMap((one) => (formats[one] ? [] : [`format ${one}`])),
    ...[...majors].flatMap(([type, major]) => before(major).flatMap((one) => (widgets[type]?.[one] ? [] : [`${type}@${one}`]))),
  ]
}
