import * as z from 'zod'
import { limits } from '#language/documents/limits.ts'
import { $schema, format, id, json, name, value, values, written } from '#language/documents/nodes.ts'

/**
 * A flow describes what a person does with the app, step by step, and what must then be shown, called and not called. It runs in a browser
 * against a release or a draft. Flows are documents but are not served to clients.
 */

/** The person: a visitor, or a customer whose account differs from the sample in `info`, the members of user.info. */
const who = z.union([
  z.literal('visitor'),
  z.strictObject({
    customer: z.strictObject({
      kyc: z.int().min(0).max(2).optional().describe('verification level; 1 by default'),
      info: z.record(z.string(), json).optional().describe('members of user.info that differ from the sample account'),
    }),
  }),
])
export type FlowWho = z.infer<typeof who>

/** Answer of a call in place of the API's or of a sample: members that replace those of the sample, or a problem code. */
const answer = z.union([
  z.strictObject({ data: json.describe('replaces members of the sample answer; a list replaces the whole list') }),
  z.strictObject({ problem: z.string().describe('a problem code of the call'), field: z.string().optional() }),
])
export type FlowAnswer = z.infer<typeof answer>
const answers = z.record(z.string(), answer)

const text = value.describe('literal text, or {"$t": key}')
const one = z.string().min(1).max(120)
const target = name.describe('id of a node, or name of a field')
/** A field of a form, also one of a row: `exits.0.price`. */
const fieldTarget = written(/^[A-Za-z_][A-Za-z0-9_-]*(?:\.\d{1,3}\.[A-Za-z_][A-Za-z0-9_-]*)?$/, 130).describe(
  'id of a node or name of a field; exits.0.price is a field in the first row',
)
/** The row of a list, by its key or by its index from 0. */
const row = z.union([one, z.int().nonnegative()]).optional()

const nodeStates = ['shown', 'hidden', 'enabled', 'disabled'] as const
const expectation = z
  .strictObject({
    text: text.optional().describe('text that is visible; with `node` inside that node'),
    noText: text.optional().describe('text that is visible nowhere'),
    node: target.optional(),
    row,
    state: z.enum(nodeStates).optional().describe('state of the node; shown by default'),
    value: json.optional().describe('value of the field or control'),
    rows: z.int().nonnegative().optional().describe('number of rows of the node or of its list'),
    called: one.optional().describe('a call that was made since the flow began'),
    args: values.optional().describe('arguments of that call; it may have had others too'),
    times: z.int().positive().max(100).optional().describe('how often; at least once by default'),
    notCalled: z
      .union([one, z.array(one).min(1)])
      .optional()
      .describe('calls that were not made since the flow began'),
    screen: id.optional().describe('the current screen'),
    toast: z.union([z.literal(true), text]).optional(),
    prompt: z.union([z.boolean(), text]).optional().describe('false: no prompt is open; text: part of its title or text'),
  })
  .refine((wanted) => Object.keys(wanted).length > 0, 'expects nothing')
  .meta({ minProperties: 1 })
export type FlowExpectation = z.infer<typeof expectation>

/** A change of one row, as the socket reports it. Later answers of the call contain the row too. */
const push = z.strictObject({
  push: one.describe('a topic that carries rows'),
  change: z.enum(['insert', 'update', 'remove']),
  row: z
    .record(z.string(), json)
    .describe('members that replace those of the row with this key, or of a sample; to remove a row the key is enough'),
})
export type FlowPush = z.infer<typeof push>

const pausesMsMax = 10_000

const flowStepKinds = {
  open: z.strictObject({ open: one.describe('a route'), params: values.optional() }),
  as: z.strictObject({ as: who }),
  fill: z.strictObject({ fill: fieldTarget, value: json }),
  press: z.strictObject({ press: target, row }),
  choose: z.strictObject({ choose: target, option: text, row }),
  prompt: z.strictObject({ prompt: z.enum(['ok', 'cancel']) }),
  answer: z.strictObject({ answer: one.describe('a call; applies from this step on'), with: answer }),
  push,
  wait: z.strictObject({ wait: z.int().positive().max(pausesMsMax).describe('ms; expectations wait on their own') }),
  expect: z.strictObject({ expect: expectation }),
} as const
const step = z.union([
  flowStepKinds.open,
  flowStepKinds.as,
  flowStepKinds.fill,
  flowStepKinds.press,
  flowStepKinds.choose,
  flowStepKinds.prompt,
  flowStepKinds.answer,
  flowStepKinds.push,
  flowStepKinds.wait,
  flowStepKinds.expect,
])
export type FlowStep = z.infer<typeof step>

export const flow = z.strictObject({
  $schema,
  kind: z.literal('flow'),
  id,
  format,
  about: z.string().min(1).max(300).describe('what the flow verifies, for operators'),
  as: who,
  language: name.optional().describe('id of a language; the default language if absent'),
  wide: z.boolean().optional().describe('runs in a window of 1280 × 800 instead of a phone of 390 × 844'),
  answers: answers.optional().describe('answers of calls from the start'),
  steps: z.array(step).min(1).max(limits.flowStepsMax),
})
export type FlowDoc = z.infer<typeof flow>
