import * as z from 'zod'
import { limits } from '#language/limits.ts'

/**
 * Every kind of document, defined once: types, parser and schemas/meta/*.schema.json come from here.
 * The browser imports types only; publisher, CLI and tests import the parsers.
 */

const written = (pattern: RegExp, max: number, message?: string) => z.string().regex(pattern, message).max(max)
const id = written(/^[A-Za-z][A-Za-z0-9]*(?:[._-][A-Za-z0-9]+)*$/, 80, 'letters, digits, dot, dash')
const name = written(/^[A-Za-z_][A-Za-z0-9_-]*$/, 60)
const format = z.literal(1).describe('version of the language that the document is written in')
const $schema = z.string().optional()

/** JSON as it stands. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
/** What JSON.parse gave is JSON already; going through it again would cost most of the time that reading a document takes. */
const json = z.unknown().refine((part) => part !== undefined, 'is missing') as unknown as z.ZodType<Json>

/** A JSON-Logic tree. Its operators and bounds are checked by language/expression.ts. */
export type Logic = Json
export const logic: z.ZodType<Logic> = json.describe('a JSON-Logic tree')

/** A literal, `{"$": path or logic}`, or `{"$t": key, …args}`, at any depth of a prop. */
export type Value = null | boolean | number | string | Value[] | { [key: string]: Value }
export const value: z.ZodType<Value> = json.describe('a literal, {"$": path or logic}, or {"$t": key, …arguments}')

const values = z.record(z.string(), value)

// ---- actions

export const steps: z.ZodType<Step[]> = z.lazy(() => z.array(step).max(limits.stepsPerActionMax))
const writable = z.record(z.string().regex(/^(state|form|device)\.[A-Za-z_][\w.]*$/, 'set writes state, form and device only'), value)

export const stepKinds = {
  go: z.strictObject({
    go: z.union([z.string(), z.strictObject({ $: logic })]),
    params: values.optional(),
    replace: z.boolean().optional(),
  }),
  back: z.strictObject({ back: z.literal(true) }),
  open: z.strictObject({ open: name.describe('id of a sheet in this screen') }),
  close: z.strictObject({ close: z.literal(true) }),
  toast: z.strictObject({ toast: value, tone: z.enum(['info', 'success', 'warn', 'error']).optional() }),
  set: z.strictObject({ set: writable }),
  refresh: z.strictObject({ refresh: z.array(name).min(1) }),
  more: z.strictObject({ more: name.describe('a data source with pages') }),
  copy: z.strictObject({ copy: value }),
  share: z.strictObject({ share: z.strictObject({ title: value.optional(), text: value.optional(), url: value }) }),
  link: z.strictObject({ link: value.describe('https address; its host must be in app.links') }),
  if: z.strictObject({ if: logic, then: z.lazy(() => steps), else: z.lazy(() => steps).optional() }),
  call: z.strictObject({ call: z.string(), args: values.optional(), as: name.optional() }),
  confirm: z.strictObject({ confirm: id, with: values.optional() }),
} as const
export type StepKind = keyof typeof stepKinds

export type Step =
  | { go: string | { $: Logic }; params?: Record<string, Value>; replace?: boolean }
  | { back: true }
  | { open: string }
  | { close: true }
  | { toast: Value; tone?: 'info' | 'success' | 'warn' | 'error' }
  | { set: Record<string, Value> }
  | { refresh: string[] }
  | { more: string }
  | { copy: Value }
  | { share: { title?: Value; text?: Value; url: Value } }
  | { link: Value }
  | { if: Logic; then: Step[]; else?: Step[] }
  | { call: string; args?: Record<string, Value>; as?: string }
  | { confirm: string; with?: Record<string, Value> }
const step: z.ZodType<Step> = z.union(Object.values(stepKinds) as unknown as [z.ZodType<Step>, z.ZodType<Step>])

/** What to do with a problem code of a call: show it, load sources again, or go somewhere. `*` is every other code. */
const outcome = z.strictObject({
  toast: value.optional(),
  refresh: z.array(name).optional(),
  go: z.string().optional(),
  field: name.optional(),
})
export type ErrorOutcome = z.infer<typeof outcome>
const errors = z.record(z.string(), outcome)

/** Steps, or the name of one of the screen's actions. */
const action = z.union([name, steps])
export type Action = string | Step[]

// ---- nodes

export interface NodeDoc {
  id: string
  widget: string
  props?: Record<string, Value>
  show?: Logic
  enable?: Logic
  on?: Record<string, Action>
  slots?: Record<string, ChildDoc[]>
  repeat?: { each: { $: Logic }; key: string }
  states?: Partial<Record<'loading' | 'empty' | 'error' | 'stale', ChildDoc>>
  fallback?: NodeDoc | 'drop'
  critical?: boolean
}
export interface UseDoc {
  use: string
  /** Goes before the ids of the fragment, with a dash, when one document uses it more than once. */
  as?: string
  with?: Record<string, Value>
}
export type ChildDoc = NodeDoc | UseDoc

const use = z.strictObject({
  use: id.describe('a fragment'),
  as: name.optional().describe('goes before the ids of the fragment, when one document uses it more than once'),
  with: values.optional(),
})
const child: z.ZodType<ChildDoc> = z.lazy(() => z.union([node, use]))
export const node: z.ZodType<NodeDoc> = z.lazy(() =>
  z.strictObject({
    id: name.describe('unique in the document'),
    widget: z.string().regex(/^[a-z][a-z0-9-]*(@\d+)?$/, 'type or type@major'),
    props: values.optional(),
    show: logic.optional(),
    enable: logic.optional(),
    on: z.record(z.string(), action).optional(),
    slots: z.record(z.string(), z.array(child)).optional(),
    repeat: z.strictObject({ each: z.strictObject({ $: logic }), key: name }).optional(),
    states: z.partialRecord(z.enum(['loading', 'empty', 'error', 'stale']), child).optional(),
    fallback: z.union([z.literal('drop'), node]).optional(),
    critical: z.boolean().optional(),
  }),
)

// ---- kinds

const param = z.strictObject({
  type: z.enum(['string', 'integer', 'decimal', 'boolean', 'enum']),
  values: z.array(z.string()).optional(),
  required: z.boolean().optional(),
  default: json.optional(),
})
export type ParamDoc = z.infer<typeof param>

const source = z.strictObject({
  call: z.string().describe('a row of the contract'),
  args: values.optional(),
  when: logic.optional(),
  pages: z.boolean().optional().describe('load page after page: {list, total}'),
  keepMs: z.int().positive().optional().describe('how long an answer counts as fresh'),
  everyMs: z.int().min(1_000).optional().describe('load again this often while the screen shows'),
  live: z.string().optional().describe('feed topic that makes the source load again'),
})
export type SourceDoc = z.infer<typeof source>

export const screen = z.strictObject({
  $schema,
  kind: z.literal('screen'),
  id,
  format,
  wide: z.boolean().optional().describe('may use the whole window from 900 px'),
  params: z.record(z.string(), param).optional(),
  state: z.record(z.string(), json).optional(),
  data: z.record(z.string(), source).optional(),
  actions: z.record(z.string(), steps).optional(),
  errors: errors.optional(),
  enter: steps.optional().describe('runs once when the screen is opened'),
  body: z.array(child).min(1),
})
export type ScreenDoc = z.infer<typeof screen>

export const fragment = z.strictObject({
  $schema,
  kind: z.literal('fragment'),
  id,
  format,
  params: z.record(z.string(), param).optional(),
  body: z.array(child).min(1),
})
export type FragmentDoc = z.infer<typeof fragment>

export const prompt = z.strictObject({
  $schema,
  kind: z.literal('prompt'),
  id,
  format,
  title: value,
  text: value.optional(),
  rows: z.array(z.strictObject({ label: value, value })).optional(),
  danger: z.boolean().optional(),
  ok: value.optional(),
  cancel: value.optional(),
  stale_after_ms: z.int().positive().optional(),
})
export type PromptDoc = z.infer<typeof prompt>

const entry = z.strictObject({
  id: name,
  icon: z.string(),
  label: value,
  to: z.string().describe('a route'),
  params: values.optional(),
  show: logic.optional(),
  badge: value.optional(),
})
export type EntryDoc = z.infer<typeof entry>
export const quickEntries = z.strictObject({
  $schema,
  kind: z.literal('quick-entries'),
  id,
  format,
  entries: z.array(entry).max(limits.quickEntriesMax),
})
export type QuickEntriesDoc = z.infer<typeof quickEntries>

export const validation = z.strictObject({
  $schema,
  kind: z.literal('validation'),
  id,
  format,
  test: logic.describe('true when `value` is acceptable'),
  message: value,
  level: z.enum(['error', 'warn', 'info']).optional(),
})
export type ValidationDoc = z.infer<typeof validation>

const route = z.strictObject({
  screen: id,
  tab: name.optional().describe('id of the tab that is selected here'),
  auth: z.boolean().optional(),
  kyc: z.int().min(1).max(2).optional(),
  aliases: z.array(z.string()).optional(),
})
export type RouteDoc = z.infer<typeof route>
export const routes = z.strictObject({
  $schema,
  kind: z.literal('routes'),
  id: z.literal('routes'),
  format,
  routes: z.record(z.string(), route),
})
export type RoutesDoc = z.infer<typeof routes>

const colour = z.string().regex(/^#[0-9A-Fa-f]{6}([0-9A-Fa-f]{2})?$/)
const palette = z.record(name, colour)
export const theme = z.strictObject({
  $schema,
  kind: z.literal('theme'),
  id: z.literal('theme'),
  format,
  dark: palette,
  light: palette,
  coins: palette.optional(),
  space: z.record(z.string().regex(/^[a-z0-9-]{1,20}$/), z.int().nonnegative()).describe('px'),
  radius: z.record(name, z.int().nonnegative()).describe('px'),
  type: z.record(name, z.int().positive()).describe('px at 100 % text size'),
})
export type ThemeDoc = z.infer<typeof theme>

const language = z.strictObject({
  id: name,
  label: z.string(),
  tag: z.string().describe('BCP 47, for Intl and the lang attribute'),
  aliases: z.array(z.string()).optional(),
})
const deviceKey = z.strictObject({
  type: z.enum(['string', 'boolean', 'list', 'enum']),
  values: z.array(z.string()).optional(),
  default: json,
  max: z.int().positive().optional(),
})
export const app = z.strictObject({
  $schema,
  kind: z.literal('app'),
  id: z.literal('app'),
  format,
  languages: z.array(language).min(1),
  defaultLanguage: name,
  fiats: z.array(z.string()),
  defaultFiat: z.string(),
  constants: z.record(name, z.union([z.number(), z.string(), z.boolean()])),
  device: z.record(name, deviceKey).describe('what the app keeps on this device; read as device.<name>'),
  links: z.array(z.string()).describe('hosts that a link step may open'),
  tabBar: node.describe('shown on every route that has a tab'),
})
export type AppDoc = z.infer<typeof app>

export const kinds = { app, routes, theme, 'quick-entries': quickEntries, validation, prompt, fragment, screen } as const
export type Kind = keyof typeof kinds
export type AnyDoc = AppDoc | RoutesDoc | ThemeDoc | QuickEntriesDoc | ValidationDoc | PromptDoc | FragmentDoc | ScreenDoc

/** What the publisher adds to a document; never typed by hand. */
export interface Computed {
  sha256: string
  requires: { widgets: string[]; operators: string[]; steps: string[]; format: number }
  uses: string[] // ids of documents that it needs: prompts, quick entries, validations
  areas: string[] // text areas: "market" for keys market.…
}
