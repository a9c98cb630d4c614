import { createHash } from 'node:crypto'
import { stepKinds } from '#language/documents/documents.ts'
import { fieldTypes } from '#language/documents/form.ts'
import { formatServed, outcomeMembers } from '#language/documents/nodes.ts'
import { isFunctionName } from '#language/expression/operator.ts'
import { operators } from '#language/expression/operators.ts'
import { canonical } from '#language/publish/canonical.ts'
import { type Need, needs, type Shows } from '#language/publish/covers.ts'
import { featuresWith } from '#language/publish/features.ts'
import type { FunctionManifest, TopicManifest, WidgetManifest } from '#language/types/catalog.ts'
import { propsOf } from '#language/types/prop-names.ts'

/** The names that one build of the app can show. */
export type Catalog = Shows
/** A catalog with its name: the sha256 of what it says, so that nobody can register one under another's name. A build sends it as `caps`. */
export interface Caps extends Catalog {
  hash: string
}

/** A build that said what it can show, or that is served from here. */
export interface KnownBuild {
  caps: Caps
  own: boolean
  /** When a client of it last asked, ms since 1970; exact to some minutes. */
  seenAt: number
}

/** Bounds of a catalog that comes from outside. */
export const capsLimits = { namesMax: 2_000, nameLengthMax: 60, formatMax: 1_000, bytesMax: 65_536 } as const

const sorted = (names: readonly string[]) => [...new Set(names)].sort()
/** The names of each kind that has any said of it. */
const eachNeed = (of: (need: Need) => readonly string[] | undefined) =>
  Object.fromEntries(needs.flatMap((need) => (of(need) === undefined ? [] : [[need, of(need)]]))) as Omit<Catalog, 'format'>

export function capsOf(given: Catalog): Caps {
  const names = eachNeed((need) => given[need] && sorted(given[need]))
  const catalog = { ...names, format: given.format }
  return { hash: createHash('sha256').update(canonical(catalog)).digest('hex'), ...catalog }
}

interface BuildParts {
  widgets: readonly Pick<WidgetManifest, 'type' | 'major' | 'props'>[]
  functions?: readonly Pick<FunctionManifest, 'name'>[]
  topics?: readonly Pick<TopicManifest, 'name'>[]
}

/** The catalog of a build that is made of this code, these widgets and these functions. */
export function capsOfBuild({ widgets, functions = [], topics }: BuildParts): Caps {
  return capsOf({
    format: formatServed,
    widgets: widgets.map(({ type, major }) => `${type}@${major}`),
    operators: [...Object.keys(operators).filter((name) => !isFunctionName(name)), ...functions.map(({ name }) => name)],
    props: widgets.flatMap(({ type, props }) => [...propsOf(props, type)]),
    words: Object.entries(operators).flatMap(([name, { words = {} }]) =>
      Object.values(words).flatMap((known) => (known === 'name' ? [] : known.map((word) => `${name}.${word}`))),
    ),
    steps: [...Object.keys(stepKinds), ...featuresWith(topics)],
    fields: fieldTypes,
    outcomes: outcomeMembers,
  })
}

const namePattern = /^[^\s"\\]+$/
const isNames = (value: unknown): value is string[] =>
  Array.isArray(value) &&
  value.length <= capsLimits.namesMax &&
  value.every((name) => typeof name === 'string' && name.length <= capsLimits.nameLengthMax && namePattern.test(name))

/** A catalog as a build registers it. @returns undefined when it is none, or when its hash is not the one of what it says */
export function readCatalog(body: unknown): Caps | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const { hash, format, ...said } = body as Record<string, unknown>
  if (!Number.isInteger(format) || (format as number) < 1 || (format as number) > capsLimits.formatMax) return undefined
  if (said.widgets === undefined || !needs.every((need) => said[need] === undefined || isNames(said[need]))) return undefined
  const caps = capsOf({ ...eachNeed((need) => said[need] as string[] | undefined), format: format as number })
  return caps.hash === hash ? caps : undefined
}

const common = (all: readonly (readonly string[] | undefined)[]): readonly string[] | undefined => {
  const said = all.filter((names) => names !== undefined)
  return said.length === 0 ? undefined : said.reduce((left, names) => left.filter((name) => names.includes(name)))
}

/**
 * Returns the names that every one of these builds can show: the safest guess for a build of which nothing is known. Undefined when there
 * is none to go by.
 */
export function commonCatalog(builds: readonly Catalog[]): Catalog | undefined {
  if (builds.length === 0) return undefined
  const shared = eachNeed((need) => common(builds.map((build) => build[need])))
  return { ...shared, format: Math.min(...builds.map((build) => build.format)) }
}
