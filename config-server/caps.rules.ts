import { createHash } from 'node:crypto'
import { canonical } from '#language/canonical.ts'
import type { FunctionManifest, TopicManifest, WidgetManifest } from '#language/catalog.ts'
import { stepKinds } from '#language/documents.ts'
import { featuresWith } from '#language/features.ts'
import { isFunctionName } from '#language/operator.ts'
import { operators } from '#language/operators.ts'

/** What one build of the app can show. */
export interface Catalog {
  /** Version of the language. */
  format: number
  /** `type@major` */
  widgets: readonly string[]
  /** Absent: everything that `format` has. */
  operators?: readonly string[]
  steps?: readonly string[]
}
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

const formatNow = 1
const sorted = (names: readonly string[]) => [...new Set(names)].sort()

export function capsOf({ format, widgets, operators, steps }: Catalog): Caps {
  const catalog = {
    format,
    widgets: sorted(widgets),
    ...(operators && { operators: sorted(operators) }),
    ...(steps && { steps: sorted(steps) }),
  }
  return { hash: createHash('sha256').update(canonical(catalog)).digest('hex'), ...catalog }
}

interface BuildParts {
  widgets: readonly Pick<WidgetManifest, 'type' | 'major'>[]
  functions?: readonly Pick<FunctionManifest, 'name'>[]
  topics?: readonly Pick<TopicManifest, 'name'>[]
}

/** The catalog of a build that is made of this code, these widgets and these functions. */
export function capsOfBuild({ widgets, functions = [], topics }: BuildParts): Caps {
  return capsOf({
    format: formatNow,
    widgets: widgets.map(({ type, major }) => `${type}@${major}`),
    operators: [...Object.keys(operators).filter((name) => !isFunctionName(name)), ...functions.map(({ name }) => name)],
    steps: [...Object.keys(stepKinds), ...featuresWith(topics)],
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
  const { hash, format, widgets, operators, steps } = body as Record<string, unknown>
  if (!Number.isInteger(format) || (format as number) < 1 || (format as number) > capsLimits.formatMax) return undefined
  if (!isNames(widgets) || !(operators === undefined || isNames(operators)) || !(steps === undefined || isNames(steps))) return undefined
  const caps = capsOf({ format: format as number, widgets, ...(operators && { operators }), ...(steps && { steps }) })
  return caps.hash === hash ? caps : undefined
}

const common = (all: readonly (readonly string[] | undefined)[]): readonly string[] | undefined => {
  const said = all.filter((names) => names !== undefined)
  return said.length === 0 ? undefined : said.reduce((left, names) => left.filter((name) => names.includes(name)))
}

/** What every one of these builds can show: the safest guess for a build of which nothing is known. Undefined when there is none to go by. */
export function commonCatalog(builds: readonly Catalog[]): Catalog | undefined {
  if (builds.length === 0) return undefined
  const shared = (of: (build: Catalog) => readonly string[] | undefined) => common(builds.map(of))
  const [operators, steps] = [shared((build) => build.operators), shared((build) => build.steps)]
  return {
    format: Math.min(...builds.map((build) => build.format)),
    widgets: shared((build) => build.widgets) ?? [],
    ...(operators && { operators }),
    ...(steps && { steps }),
  }
}
