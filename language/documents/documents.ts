import * as z from 'zod'
import { type FlowDoc, flow } from '#language/documents/flow.ts'
import { type FormDoc, form } from '#language/documents/form.ts'
import { limits } from '#language/documents/limits.ts'
import {
  $schema,
  changes,
  child,
  errors,
  format,
  id,
  json,
  logic,
  memberName,
  name,
  namedValues,
  nameOrParam,
  node,
  steps,
  value,
  values,
} from '#language/documents/nodes.ts'
import type { Requires } from '#language/publish/covers.ts'
import { frameLists } from '#language/text/position.ts'

export type { FlowAnswer, FlowDoc, FlowExpectation, FlowPush, FlowStep, FlowWho } from '#language/documents/flow.ts'
export type { FieldDoc, FieldRule, FormDoc } from '#language/documents/form.ts'
export type {
  Action,
  ChangesDoc,
  ChildDoc,
  ErrorOutcome,
  Json,
  Logic,
  NodeDoc,
  SavedType,
  SlotDoc,
  Step,
  StepKind,
  UseDoc,
  Value,
} from '#language/documents/nodes.ts'
export { logic, node, stepKinds, steps, value } from '#language/documents/nodes.ts'
export type { FieldType } from '#language/text/shorthand.ts'

/**
 * Every kind of document, defined once: its type, its parser and schemas/meta/*.schema.json.
 * Browsers import types only; publisher, CLI and tests import the parsers.
 */

const param = z.strictObject({
  type: z.enum(['string', 'integer', 'decimal', 'boolean', 'enum']),
  values: z.array(z.string()).optional(),
  required: z.boolean().optional(),
  default: json.optional(),
})
export type ParamDoc = z.infer<typeof param>
/** Documents pass values to a fragment directly and not in an address, so lists and records are possible too. */
const fragmentParam = param.extend({ type: z.enum([...param.shape.type.options, 'list', 'record']) })
export type FragmentParamDoc = z.infer<typeof fragmentParam>

const records = {
  key: name.describe('member that identifies a record'),
  of: z.record(name, param).describe('members of a record'),
}
const list = z.strictObject({
  ...records,
  max: z.int().positive().max(limits.recordsMax).optional().describe('the oldest records are removed when there are more'),
  default: z.array(json).optional().describe('records at the start; empty by default'),
})
export type ListDoc = z.infer<typeof list>

const source = z.strictObject({
  call: nameOrParam('a call of the contract; in a fragment also a parameter: "= params.call"'),
  args: values.optional(),
  when: logic.optional(),
  pages: z.boolean().optional().describe('load page after page: {list, total}'),
  keep: z.boolean().optional().describe('while new arguments are loading, the answer to the previous ones stays shown; never for money'),
  debounceMs: z.int().min(1).max(limits.debounceMsMax).optional().describe('wait until the arguments have not changed for this long'),
  keepMs: z
    .union([z.int().positive(), z.strictObject({ $: logic })])
    .optional()
    .describe('how long an answer counts as fresh; in a fragment also a parameter') as unknown as z.ZodOptional<z.ZodInt>,
  everyMs: z
    .union([z.int().min(1_000), z.strictObject({ $: logic })])
    .optional()
    .describe('load again this often while the screen shows; in a fragment also a parameter') as unknown as z.ZodOptional<z.ZodInt>,
  live: z
    .union([nameOrParam('a topic; in a fragment also a parameter'), z.array(z.string()).min(2)])
    .optional()
    .describe('topic, or topics, on which the server reports changes: the source loads again, or its rows are updated in place'),
  on: z
    .strictObject({
      loaded: steps.optional().describe('runs after the first answer of a visit'),
      changed: steps.optional().describe('runs when a later answer differs; `value` is the previous answer'),
    })
    .optional()
    .describe('steps that follow answers'),
  send: z
    .strictObject({
      call: z.string().describe('a call with a key: steps that send it show its row at once'),
      id: name.describe('name that the call gives the id of the row, made by this device, and member of the row with that id'),
      optimistic: values
        .optional()
        .describe(
          'members of the row until the server answers; `value` has the arguments. Arguments of the same name are members of it anyway',
        ),
    })
    .optional()
    .describe('rows of this list that customers send: each is shown at once, with how far it is in `sending`'),
})
export type SourceDoc = z.infer<typeof source>

export const screen = z
  .strictObject({
    $schema,
    kind: z.literal('screen'),
    id,
    format,
    title: value.optional().describe('title of the bar above the body, with a back button'),
    back: z.boolean().optional().describe('false: no back button, as on the pages of the tab bar'),
    toolbar: z.array(child).optional().describe('nodes at the end of that bar'),
    head: z.array(child).optional().describe('nodes below that bar that stay in place while the body scrolls'),
    foot: z.array(child).optional().describe('nodes at the bottom that stay in place while the body scrolls'),
    pad: z.boolean().optional().describe('false: the body reaches the edges of the page'),
    wide: z.boolean().optional().describe('may use the full width of windows from 900 px'),
    params: z.record(z.string(), param).optional(),
    state: z.record(memberName, json).optional(),
    lists: z.record(name, list).optional().describe('lists of records in the state of the screen; read as state.<name>'),
    data: z.record(z.string(), source).optional(),
    values: namedValues.optional(),
    actions: z.record(z.string(), steps).optional(),
    errors: errors.optional(),
    enter: steps.optional().describe('runs once in each visit of the screen'),
    changes: changes.optional().describe('steps that follow changes of the state, a form or data'),
    body: z.array(child).min(1),
  })
  .superRefine((doc, context) => {
    for (const name of ['back', 'pad', ...frameLists] as const) {
      if (doc.title === undefined && doc[name] !== undefined)
        context.addIssue({ code: 'custom', path: [name], message: `a screen with "${name}" needs a title` })
    }
  })
  .meta({ dependentRequired: Object.fromEntries(['back', 'pad', ...frameLists].map((name) => [name, ['title']])) })
export type ScreenDoc = z.infer<typeof screen>

export const fragment = z.strictObject({
  $schema,
  kind: z.literal('fragment'),
  id,
  format,
  params: z.record(z.string(), fragmentParam).optional(),
  state: z.record(name, json).optional().describe('values of each use; a document that uses the fragment reads them as state.<use>_<name>'),
  data: z.record(name, source).optional().describe('sources of each use, named in the same way'),
  values: namedValues.optional(),
  actions: z.record(name, steps).optional().describe('actions of each use, named in the same way'),
  toolbar: z.array(child).optional().describe('nodes for the end of the bar of a screen with a title; elsewhere they come before the body'),
  head: z.array(child).optional().describe('nodes for the place below that bar; elsewhere they come before the body'),
  body: z.array(child).min(1),
})
export type FragmentDoc = z.infer<typeof fragment>

export const prompt = z.strictObject({
  $schema,
  kind: z.literal('prompt'),
  id,
  format,
  values: namedValues.optional(),
  title: value,
  text: value.optional(),
  rows: z
    .array(
      z.strictObject({
        each: logic.optional().describe('a list: a row for each of its elements, which is `item`'),
        label: value,
        value,
        show: logic.optional(),
      }),
    )
    .optional(),
  danger: z.boolean().optional(),
  ok: value.optional(),
  cancel: value.optional(),
  stale_after_ms: z.int().positive().optional().describe('a confirmation after this time sends nothing; the prompt asks again'),
  stale_when: logic
    .optional()
    .describe('true when the shown values no longer apply: the prompt closes and asks again; `latest` has the present values of `params`'),
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
  hidden: z.boolean().optional().describe('true: the entry is not published; its condition stays as it is'),
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
  params: z.record(z.string(), param).optional().describe('what a form may pass: {"use": …, "with": {…}}'),
  test: logic.describe('true when `value` is acceptable'),
  message: value,
  level: z.enum(['error', 'warn', 'info']).optional(),
})
export type ValidationDoc = z.infer<typeof validation>

const route = z.strictObject({
  screen: id,
  tab: name.optional().describe('id of the tab that is selected on this page'),
  auth: z.boolean().optional(),
  kyc: z.int().min(1).max(2).optional(),
  aliases: z.array(z.string()).optional(),
  off: z.boolean().optional().describe('this installation leaves the page out: its address, and what leads to it, says so instead'),
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
  key: records.key.optional(),
  of: records.of.optional().describe('a list of records with these members'),
})
const pushedToast = z.strictObject({
  toast: value,
  tone: value.optional().describe('info, success, warn or error; info by default'),
  press: steps.optional().describe('steps of a press; without them the toast cannot be pressed'),
})
const pushed = z
  .strictObject({
    topic: z.string().describe('a topic that carries rows'),
    show: logic.optional().describe('which new rows are shown'),
    by: value.describe('rows that come together and are equal in this are shown in one toast'),
    one: pushedToast,
    many: pushedToast.describe('for several rows'),
  })
  .describe('`item` is the row, or the newest of several, and `value` their number')
export type PushedDoc = z.infer<typeof pushed>
const segment = z.strictObject({
  label: value.describe('the name of the segment for operators'),
  test: logic.describe('true for customers of the segment; reads session, device and app'),
})
export const app = z.strictObject({
  $schema,
  kind: z.literal('app'),
  id: z.literal('app'),
  format,
  languages: z.array(language).min(1),
  defaultLanguage: name,
  fiats: z.array(z.string()).optional().describe('absent in an app without amounts of money'),
  defaultFiat: z.string().optional(),
  constants: z.record(name, z.union([z.number(), z.string(), z.boolean()])),
  segments: z
    .record(name, segment)
    .optional()
    .describe('named conditions on customers, which every document reads as segment.<name> and rollouts may ask for'),
  device: z.record(name, deviceKey).describe('values stored on this device; read as device.<name>'),
  links: z.array(z.string()).describe('hosts that a link step may open'),
  tabBar: node.describe('shown on every route with a tab'),
  pushed: z.array(pushed).optional().describe('rows of which any page tells in a toast as the server pushes them'),
})
export type AppDoc = z.infer<typeof app>

export const kinds = { app, routes, theme, 'quick-entries': quickEntries, validation, prompt, form, fragment, screen, flow } as const
export type Kind = keyof typeof kinds
export type AnyDoc =
  | AppDoc
  | RoutesDoc
  | ThemeDoc
  | QuickEntriesDoc
  | ValidationDoc
  | PromptDoc
  | FormDoc
  | FragmentDoc
  | ScreenDoc
  | FlowDoc

/** Members that the publisher adds to a document; not written by people. */
export interface Computed {
  sha256: string
  requires: Requires
  uses: string[] // ids of documents that it uses: prompts, quick entries, validations
  areas: string[] // text areas that it uses: "market" for keys market.…
}
