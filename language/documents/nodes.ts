import * as z from 'zod'
import { limits } from '#language/documents/limits.ts'
import { settable, shortNodeProblems, withLongActions, writablePath } from '#language/text/short-nodes.ts'
import { withFieldsAsArgs } from '#language/text/shorthand.ts'

/** Parts of documents: values, logic, steps and nodes. The kinds of documents are in documents.ts and form.ts. */

export const written = (pattern: RegExp, max: number, message?: string) => z.string().regex(pattern, message).max(max)
export const id = written(/^[A-Za-z][A-Za-z0-9]*(?:[._-][A-Za-z0-9]+)*$/, 80, 'letters, digits, dot, dash')
export const name = written(/^[A-Za-z_][A-Za-z0-9_-]*$/, 60)
/** Current version of the language in files. Files of earlier versions are read as language/publish/format-migrations.ts says. */
export const formatNow = 2
/** Version of the language in releases. The short forms of format 2 are expanded when a file is read, so releases did not change with it. */
export const formatServed = 1
export const format = z.literal([1, formatNow]).describe('version of the language in which the document is written')
export const $schema = z.string().optional()

/** Plain JSON. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
/** The result of JSON.parse is JSON; validating it would take most of the time of reading a document. */
export const json = z.unknown().refine((part) => part !== undefined, 'is missing') as unknown as z.ZodType<Json>

/**
 * An expression: text in files, a JSON-Logic tree or a path after compileTexts. language/expression/expression.ts checks operators and
 * limits.
 */
export type Logic = Json
export const logic: z.ZodType<Logic> = json.meta({ description: 'an expression', expression: true })

/** A literal, `{"$": expression}`, or `{"$t": key, …args}`, at any depth of a prop. */
export type Value = null | boolean | number | string | Value[] | { [key: string]: Value }
export const value: z.ZodType<Value> = json.describe('a literal, {"$": expression}, or {"$t": key, …arguments}')

/** A name of a member. `$` begins the members that mark a value, so a value in the place of a map of values is no map. */
export const memberName = z.string().regex(/^(?!\$)/, 'a name does not begin with $')
export const values = z.record(memberName, value)
export const namedValues = z
  .record(z.string().regex(/^[A-Za-z_]\w*$/), logic)
  .describe('expressions by name; `values.<name>` reads one of them anywhere in the document')

// ---- actions

export const steps: z.ZodType<Step[]> = z.lazy(() => z.array(step).max(limits.stepsPerActionMax))
export const changes = z
  .array(
    z.strictObject({
      when: logic.describe('the expression whose value is watched; while it has no value, or null, it is not compared'),
      do: steps.describe('steps that run when that value is another one; `value` is the one before'),
    }),
  )
  .max(limits.changesMax)
export type ChangesDoc = z.infer<typeof changes>

const writable = z
  .record(z.string().regex(settable, 'set writes to state, form and device only'), value)
  .describe(
    'by path; `state.list[path]` is the record whose key is the value of the path; null removes it. In a fragment, `params.x` is the path that the parameter names, and `*` all members of a record',
  )

/** Types of files that a `save` step may write. */
const savedTypes = ['text/plain', 'text/csv', 'application/json'] as const
export type SavedType = (typeof savedTypes)[number]

const routeName = z.union([z.string(), z.strictObject({ $: logic })])
/** A name that is literal, except in a fragment, where it may be a parameter: `"= params.call"`. */
export const nameOrParam = (description: string) =>
  z.union([z.string(), z.strictObject({ $: logic })]).describe(description) as unknown as z.ZodType<string>
export const stepKinds = {
  go: z.strictObject({
    go: routeName,
    params: values.optional(),
    replace: z.boolean().optional(),
    beside: z
      .boolean()
      .optional()
      .describe('in a wide window the page opens beside a screen that is `wide`, which stays; elsewhere as without it'),
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
  save: z.strictObject({
    save: z.strictObject({
      name: value.describe('file name with extension'),
      text: value.describe('content of the file'),
      type: z.enum(savedTypes).optional().describe('text/plain by default; a text/csv starts with a byte order mark, for spreadsheets'),
    }),
  }),
  link: z.strictObject({ link: value.describe('https address; its host must be in app.links') }),
  if: z.strictObject({ if: logic, then: z.lazy(() => steps), else: z.lazy(() => steps).optional() }),
  call: z
    .strictObject({
      call: nameOrParam('a call of the contract; in a fragment also a parameter'),
      fields: z
        .array(name)
        .min(1)
        .meta({ description: 'fields of the form that are sent under their own names', uniqueItems: true })
        .optional(),
      args: values.optional(),
      as: name.optional(),
    })
    .superRefine(({ fields = [], args = {} }, context) => {
      for (const [i, name] of fields.entries()) {
        if (Object.hasOwn(args, name) || fields.indexOf(name) < i)
          context.addIssue({ code: 'custom', path: ['fields', i], message: `"${name}" occurs twice` })
      }
    })
    .transform(withFieldsAsArgs),
  export: z.strictObject({
    export: nameOrParam('a call that answers a file: {name, text, rows, cut}. It is saved, and a message says how many rows it has'),
    args: values.optional(),
  }),
  resend: z.strictObject({ resend: value.describe('id of a row that failed, such as item.id: it is sent again with the same key') }),
  discard: z.strictObject({ discard: value.describe('id of a row that failed: it is not sent, and no longer shown') }),
  confirm: z.strictObject({ confirm: id, with: values.optional() }),
  reset: z.strictObject({ reset: z.literal('form').describe('resets the form to its initial values and deletes its draft') }),
  upload: z.strictObject({
    upload: z.strictObject({ accept: z.array(z.enum(['image/jpeg', 'image/png', 'image/webp'])).optional(), purpose: name.optional() }),
    as: name.describe('result.<as>.url is the address of the stored picture'),
  }),
  login: z.strictObject({ login: value.describe('the token from a call; the customer is logged in from here on') }),
  logout: z.strictObject({ logout: z.literal(true).describe('ends the session on this device and removes the customer’s data from it') }),
  return: z.strictObject({ return: z.literal(true).describe('opens the page that the customer wanted before logging in, otherwise home') }),
} as const
export type StepKind = keyof typeof stepKinds

export type Step =
  | { go: string | { $: Logic }; params?: Record<string, Value>; replace?: boolean; beside?: boolean }
  | { back: true }
  | { open: string }
  | { close: true }
  | { toast: Value; tone?: 'info' | 'success' | 'warn' | 'error' }
  | { set: Record<string, Value> }
  | { refresh: string[] }
  | { more: string }
  | { copy: Value }
  | { share: { title?: Value; text?: Value; url: Value } }
  | { save: { name: Value; text: Value; type?: SavedType } }
  | { link: Value }
  | { if: Logic; then: Step[]; else?: Step[] }
  | { call: string; args?: Record<string, Value>; as?: string }
  | { export: string; args?: Record<string, Value> }
  | { resend: Value }
  | { discard: Value }
  | { confirm: string; with?: Record<string, Value> }
  | { reset: 'form' }
  | { upload: { accept?: ('image/jpeg' | 'image/png' | 'image/webp')[]; purpose?: string }; as: string }
  | { login: Value }
  | { logout: true }
  | { return: true }
/** The call of a step, if it sends one. */
export function callOf(step: Step): { call: string; args?: Record<string, Value>; as?: string } | undefined {
  if ('call' in step) return step
  return 'export' in step ? { call: step.export, ...(step.args && { args: step.args }) } : undefined
}
const step: z.ZodType<Step> = z.union(Object.values(stepKinds) as unknown as [z.ZodType<Step>, z.ZodType<Step>])

/**
 * Reaction to a problem code of a call: show it at a field of the form or elsewhere, load sources again, or go to a route. `*` matches
 * every other code. `message` stands for the server's words wherever those would be shown. `retry: "confirm"` opens the prompt of the action again after loading.
 */
const outcome = z.strictObject({
  toast: value.optional().describe('true: the message of the problem'),
  refresh: z.array(name).optional(),
  go: z.string().optional(),
  field: name.optional(),
  message: value.optional().describe('shown instead of the message of the problem'),
  set: writable.optional().describe('written first, for example to open a step of the form'),
  retry: z.literal('confirm').optional(),
})
export type ErrorOutcome = z.infer<typeof outcome>
export const outcomeMembers = Object.keys(outcome.shape)
export const errors = z.record(z.string(), outcome)

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
  repeat?: { each: { $: Logic }; key: string; as?: string }
  states?: Partial<Record<'loading' | 'empty' | 'error' | 'stale', ChildDoc>>
  fallback?: NodeDoc | 'drop'
  critical?: boolean
}
export interface UseDoc {
  use: string
  /** Prefix of the fragment's ids (with a dash) and names (with an underscore), when one document uses it more than once. */
  as?: string
  with?: Record<string, Value>
  /** Content of the fragment's slots. */
  slots?: Record<string, ChildDoc[]>
}
/** In a fragment: the place of a slot's content. */
export interface SlotDoc {
  slot: string
  /** Default content of the slot. */
  default?: ChildDoc[]
  /** Repeats the content of the slot. */
  repeat?: NodeDoc['repeat']
}
export type ChildDoc = NodeDoc | UseDoc | SlotDoc

const repeat = z.strictObject({
  each: z
    .union([z.strictObject({ $: logic }), z.string()])
    .meta({ description: 'an expression whose value is a list', expression: true }) as unknown as z.ZodType<{ $: Logic }>,
  key: name,
  as: name.optional().describe('name of the row: an inner repeat reads it as `row.<as>`'),
})

const use: z.ZodType<UseDoc> = z.lazy(() =>
  z.strictObject({
    use: id.describe('a fragment'),
    as: name.optional().describe('prefix of the fragment’s ids and names, when one document uses it more than once'),
    with: values.optional(),
    slots: z.record(z.string(), z.array(child)).optional().describe('content of the fragment’s slots'),
  }),
)
const slot: z.ZodType<SlotDoc> = z.lazy(() =>
  z.strictObject({
    slot: name.describe('in a fragment: the place of the slot’s content'),
    default: z.array(child).optional().describe('default content of the slot'),
    repeat: repeat.optional().describe('shows the content of the slot once for each row'),
  }),
)
const bindable = z.string().regex(writablePath, 'bind names a value of state, form or device')
export const child: z.ZodType<ChildDoc> = z.lazy(() => z.union([node, use, slot]))
export const node: z.ZodType<NodeDoc> = z.lazy(() => longNode)
const longNode = z
  .strictObject({
    id: name.describe('unique in the document'),
    widget: z.string().regex(/^[a-z][a-z0-9-]*(@\d+)?$/, 'type or type@major'),
    bind: z
      .union([bindable, z.record(name, bindable)])
      .optional()
      .describe('the value that the widget shows and changes, such as state.side; with other props than `value`: a path by prop'),
    props: values.optional(),
    show: logic.optional(),
    enable: logic.optional(),
    go: routeName.optional().describe('the page that a press opens: short for on.press with a go step'),
    params: values.optional().describe('parameters of that page'),
    on: z.record(z.string(), action).optional(),
    slots: z.record(z.string(), z.array(child)).optional(),
    repeat: repeat.optional(),
    states: z.partialRecord(z.enum(['loading', 'empty', 'error', 'stale']), child).optional(),
    fallback: z.union([z.literal('drop'), node]).optional(),
    critical: z.boolean().optional(),
  })
  .superRefine((node, context) => {
    for (const { path, message } of shortNodeProblems(node)) context.addIssue({ code: 'custom', path, message })
  })
  .meta({ dependentRequired: { params: ['go'] } })
  .transform(withLongActions) as unknown as z.ZodType<NodeDoc>
