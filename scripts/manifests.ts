import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createServer } from 'vite'
import * as z from 'zod'
import type { CallRow } from '#contract/call.ts'
import type { AnyFunction, ValueKind, ValueType } from '#contract/functions/define.ts'
import type { TopicTable } from '#contract/topic.ts'
import type { AppApi } from '#examples/serve.ts'
import type { CallManifest, Catalog, FunctionManifest, JsonSchema, TopicManifest, WidgetManifest } from '#language/types/catalog.ts'
import { routeOf } from '#language/types/row-keys.ts'
import type { Widget } from '#renderer/core/registry.ts'
import { looksOf, ownNames } from '#scripts/widget-looks.ts'

/** Manifests of calls, topics, functions and widgets, as JSON, for the checks of documents. */

/** Input or output of a call as JSON Schema, without the `$schema` line. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, target: 'draft-2020-12', unrepresentable: 'any' }) as JsonSchema
  return rest
}

export const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
const byName = <T extends readonly [string, unknown]>(entries: T[]): T[] => entries.sort(([a], [b]) => (a < b ? -1 : 1))

/** Calls for the checks of documents, by name. */
export function callManifests(table: Readonly<Record<string, CallRow>>): CallManifest[] {
  return byName(Object.entries(table)).map(([name, row]) => ({
    name,
    method: row.method,
    path: row.path,
    auth: row.auth,
    ...(row.upload && { upload: row.upload }),
    ...(row.keyed && { keyed: row.keyed }),
    ...(row.whileFrozen && { whileFrozen: row.whileFrozen }),
    ...(row.ignored && { ignored: [...row.ignored] }),
    ...(row.unprompted && { unprompted: row.unprompted }),
    ...(row.risk && { risk: row.risk }),
    ...(row.changesSession && { changesSession: row.changesSession }),
    ...(row.reads && { reads: row.reads }),
    ...(row.planned && { planned: row.planned }),
    input: schemaOf(row.input, 'input'),
    output: schemaOf(row.output, 'output'),
    problems: [...row.problems],
    summary: row.summary,
  }))
}

export const topicManifests = (table: TopicTable): TopicManifest[] =>
  Object.entries(table).map(([name, topic]) => ({ name, ...topic }) as TopicManifest)

const typeOfKind: Record<ValueKind, JsonSchema> = {
  decimal: { type: 'string', decimal: true },
  integer: { type: 'integer' },
  text: { type: 'string' },
  boolean: { type: 'boolean' },
}

const typeOf = (type: ValueType): JsonSchema => (typeof type === 'string' ? typeOfKind[type] : { ...typeOfKind.decimal, ...type.decimal })

export const functionManifests = (functions: readonly AnyFunction[]): FunctionManifest[] =>
  functions.map(({ name, about, params, result, examples }) => ({
    name,
    about,
    params: Object.entries(params).map(([param, type]) => ({ name: param, type: typeOf(type) })),
    result: typeOf(result),
    examples: [...examples],
  }))

/** The browser's table of calls: one line per call. @param flagsOf flags of a call by its name, besides those of its manifest */
export function routeTable(
  calls: readonly CallManifest[],
  lookups: boolean,
  flagsOf: (name: string) => readonly string[] = () => [],
): string {
  const lines = calls.map(
    (call) =>
      `  ${JSON.stringify(call.name)}: [${[...routeOf(call, lookups), ...flagsOf(call.name)]
        .map((part) => JSON.stringify(part))
        .join(', ')}]`,
  )
  return `{\n${lines.join(',\n')}\n}\n`
}

/**
 * Loads the widgets with vite, as the app does, because they import styles and views.
 * @param registry file that exports `widgets`, relative to the project
 * @param folders folders that contain folders of widgets, relative to the project
 */
export async function widgetManifests(
  root: string,
  registry: string,
  folders: readonly string[],
): Promise<{ widgets: WidgetManifest[]; icons: string[] }> {
  const server = await createServer({
    root,
    configFile: false,
    appType: 'custom',
    logLevel: 'error',
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  })
  try {
    const [{ widgets: registered }, icons] = await Promise.all([
      server.ssrLoadModule(`/${registry}`),
      server.ssrLoadModule('/widgets/parts/look/icons.ts'),
    ])
    const own = ownNames(root, folders)
    const list = registered as readonly Widget<unknown, z.ZodType>[]
    const widgets = list.map(({ type, major, props, events, slots, label, states }) => {
      const allowed = Object.entries(slots).map(
        ([name, { allow, ...rest }]) => [name, { ...(allow && { allow: [...allow] }), ...rest }] as const,
      )
      return {
        type,
        major,
        props: schemaOf(props, 'input'),
        events: [...events],
        slots: Object.fromEntries(allowed),
        label,
        looks: looksOf(root, folders.map((folder) => `${folder}/${type}`).find((path) => existsSync(join(root, path)))!, own),
        states: { ...states },
      }
    })
    return { widgets: widgets.sort((a, b) => (a.type < b.type ? -1 : 1)), icons: [...(icons.iconNames as readonly string[])].sort() }
  } finally {
    await server.close()
  }
}

/** A module of an app's folder. @param folder relative to the project */
export const loadOfApp = async <T>(root: string, folder: string, file: string): Promise<T> =>
  (await import(pathToFileURL(join(root, folder, file)).href)) as T

/**
 * Names that the documents of an own app may use: its widgets, calls and functions. It has no topics and no markets.
 * @param folder relative to the project: `examples/lending-library`
 */
export async function appCatalog(root: string, folder: string): Promise<Catalog> {
  const { api } = await loadOfApp<{ api: AppApi }>(root, folder, 'api.ts')
  const functions = existsSync(join(root, folder, 'functions.ts'))
    ? (await loadOfApp<{ functions: readonly AnyFunction[] }>(root, folder, 'functions.ts')).functions
    : []
  const folders = ['widgets', `${folder}/widgets`].filter((one) => existsSync(join(root, one)))
  const shown = await widgetManifests(root, `${folder}/widgets.ts`, folders)
  return { ...shown, calls: callManifests(api.calls), functions: functionManifests(functions), topics: [], symbols: [], ownContract: true }
}
