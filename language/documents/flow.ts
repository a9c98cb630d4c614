import * as z from 'zod'
import { limits } from '#language/documents/limits.ts'
import { $schema, format, id, json, name, value, values } from '#language/documents/nodes.ts'

/**
 * A flow: what somebody does with the app, step by step, and what must then be seen, called, and not be called. It is run in a browser
 * against a release or a draft. Flows are written and kept like documents, and are not served to clients.
 */

/** Who does it: a visitor, or a customer whose account differs from the sample one in `info`, members of user.info. */
const who = z.union([
  z.literal('visitor'),
  z.strictObject({
    customer: z.strictObject({
      kyc: z.int().min(0).max(2).optional().describe('verification level; 1 when left out'),
      info: z.record(z.string(), json).optional().describe('members of user.info that differ from the sample account'),
    }),
  }),
])
export type FlowWho = z.infer<typeof who>

/** What a call answers instead of the API or of a sample: members laid over the sample, or a problem code. */
const answer = z.union([
  z.strictObject({ data: json.describe('laid over the sample answer; a list stands for the whole list') }),
  z.strictObject({ problem: z.string().describe('a code of the call'), field: z.string().optional() }),
])
export type FlowAnswer = z.infer<typeof answer>
const answers = z.record(z.string(), answer)

const text = value.describe('words as they stand, or {"$t": key}')
const one = z.string().min(1).max(120)
const target = name.describe('id of a node, or name of a field')
/** In a list: which row, by its key or by its place from 0. */
const row = z.union([one, z.int().nonnegative()]).optional()

const nodeStates = ['shown', 'hidden', 'enabled', 'disabled'] as const
const expectation = z
  .strictObject({
    text: text.optional().describe('stands somewhere in sight; with `node` inside of it'),
    noText: text.optional().describe('stands nowhere in sight'),
    node: target.optional(),
    row,
    state: z.enum(nodeStates).optional().describe('of the node; shown when left out'),
    value: json.optional().describe('what the field or control holds'),
    rows: z.int().nonnegative().optional().describe('how many the node has, or stands in'),
    called: one.optional().describe('a call that was made since the flow began'),
    args: values.optional().describe('arguments that it was made with; others may have gone along'),
    times: z.int().positive().max(100).optional().describe('how often; at least once when left out'),
    notCalled: z
      .union([one, z.array(one).min(1)])
      .optional()
      .describe('calls that were not made since the flow began'),
    screen: id.optional().describe('the screen that stands'),
    toast: z.union([z.literal(true), text]).optional(),
    prompt: z.union([z.boolean(), text]).optional().describe('false: none is open; words: in its title or text'),
  })
  .refine((wanted) => Object.keys(wanted).length > 0, 'expects nothing')
export type FlowExpectation = z.infer<typeof expectation>

/** A change of one row, as the socket tells of it. From then on the answers of the call hold the row as well. */
const push = z.strictObject({
  push: one.describe('a topic that carries rows'),
  change: z.enum(['insert', 'update', 'remove']),
  row: z.record(z.string(), json).describe('laid over the row with the same key, or over a sample; to remove it the key is enough'),
})
export type FlowPush = z.infer<typeof push>

const pausesMsMax = 10_000

const flowStepKinds = {
  open: z.strictObject({ open: one.describe('a route'), params: values.optional() }),
  as: z.strictObject({ as: who }),
  fill: z.strictObject({ fill: target, value: json }),
  press: z.strictObject({ press: target, row }),
  choose: z.strictObject({ choose: target, option: text, row }),
  prompt: z.strictObject({ prompt: z.enum(['ok', 'cancel']) }),
  answer: z.strictObject({ answer: one.describe('a call, from here on'), with: answer }),
  push,
  wait: z.strictObject({ wait: z.int().positive().max(pausesMsMax).describe('ms; expectations wait by themselves') }),
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
  about: z.string().min(1).max(300).describe('what it promises, for operators'),
  as: who,
  language: name.optional().describe('id of a language; the default language when left out'),
  answers: answers.optional().describe('what calls answer from the start'),
  steps: z.array(step).min(1).max(limits.flowStepsMax),
})
export type FlowDoc = z.infer<typeof flow>
