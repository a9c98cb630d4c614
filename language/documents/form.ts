import * as z from 'zod'
import { $schema, changes, errors, format, id, logic, name, namedValues, steps, value, values } from '#language/documents/nodes.ts'
import { type FieldType, usualWidgets } from '#language/text/shorthand.ts'

/**
 * A form: its fields in order, the rules for their values, and what happens on submit. Compiled to a zod schema and shown by the widget
 * `form` with react-hook-form. Inside it, `form.<field>` is an entered value and `value` the value that a rule checks.
 */

export const fieldTypes = Object.keys(usualWidgets) as [FieldType, ...FieldType[]]

const level = z.enum(['error', 'warn', 'info']).describe('error blocks, warn must be confirmed with a tick, info only informs')

const rule = z.union([
  id.describe('a validation'),
  z.strictObject({ use: id.describe('a validation'), with: values.optional() }),
  z.strictObject({ test: logic.describe('true when `value` is acceptable'), message: value, level: level.optional() }),
])
export type FieldRule = z.infer<typeof rule>

const written = z.strictObject({
  name,
  type: z.enum(fieldTypes),
  widget: z
    .string()
    .regex(/^[a-z][a-z0-9-]*(@\d+)?$/, 'type or type@major')
    .optional()
    .describe('by default the usual widget of the type, such as text-field for string'),
  label: value,
  hint: value.optional(),
  required: z.union([z.boolean(), logic]).optional(),
  default: value.optional().describe('evaluated once, when the form opens'),
  follows: value.optional().describe('the value of the field until the customer enters another one'),
  followsAgain: z.boolean().optional().describe('true: a field that is left empty follows again'),
  rules: z.array(rule).max(10).optional(),
  show: logic.optional().describe('a hidden field is not validated and not sent, and rules read it as absent'),
  enable: logic.optional(),
  min: value.optional().describe('smallest number, earliest date or least count'),
  max: value.optional().describe('largest number, latest date or greatest count'),
  step: value.optional().describe('decimal and integer: the value must be a multiple of it; its number of decimals limits the input'),
  minLength: z.int().nonnegative().optional(),
  maxLength: z.int().positive().max(10_000).optional(),
  options: value.optional().describe('enum and list: [{id, label}]'),
  draft: z.boolean().optional().describe('false: never stored on the device; passwords and codes never are'),
  group: name.optional(),
  props: values.optional(),
  on: z.record(z.string(), steps).optional().describe('steps of the field widget’s events, such as send of a code field'),
})
const field = written.transform(({ widget, ...rest }) => ({ ...rest, widget: widget ?? usualWidgets[rest.type] }))
export type FieldDoc = z.infer<typeof field>

export const form = z.strictObject({
  $schema,
  kind: z.literal('form'),
  id,
  format,
  values: namedValues.optional(),
  groups: z
    .array(
      z.strictObject({
        id: name,
        title: value.optional(),
        show: logic.optional(),
        columns: z.int().min(2).max(3).optional().describe('fields side by side, unless the text size is too large'),
      }),
    )
    .optional(),
  fields: z.array(field).min(1).max(300),
  rules: z
    .array(
      z.strictObject({
        test: logic.describe('true when the fields are consistent; always evaluated: an empty field is null, a hidden one absent'),
        message: value,
        field: name.describe('field that shows the message'),
        level: level.optional(),
      }),
    )
    .max(30)
    .optional(),
  submit: z.strictObject({
    label: value,
    enable: logic.optional(),
    steps: steps.describe('runs when every field is valid; form.<field> holds the values'),
    danger: z.boolean().optional(),
  }),
  changes: changes.optional().describe('steps that follow changes of the fields, the state or data of the screen'),
  errors: errors.optional().describe('by problem code; a code with a field is shown at that field'),
})
export type FormDoc = z.infer<typeof form>

/** Ids of the validation documents that a field uses. */
export function validationsOf({ rules = [] }: Pick<FieldDoc, 'rules'>): string[] {
  return rules.flatMap((one) => (typeof one === 'string' ? [one] : 'use' in one ? [one.use] : []))
}
