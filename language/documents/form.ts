import * as z from 'zod'
import { $schema, errors, format, id, logic, name, namedValues, steps, value, values } from '#language/documents/nodes.ts'
import { type FieldType, usualWidgets } from '#language/text/shorthand.ts'

/**
 * A form: what is asked, in order, what is acceptable, and what happens with it. Compiled to a zod schema and react-hook-form; the widget
 * `form` shows it. Inside, `form.<field>` is what was entered, and `value` the entry that a rule judges.
 */

export const fieldTypes = Object.keys(usualWidgets) as [FieldType, ...FieldType[]]

const level = z.enum(['error', 'warn', 'info']).describe('error stops, warn wants a tick before it goes on, info only tells')

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
    .describe('left out: the usual widget of the type, such as text-field for string'),
  label: value,
  hint: value.optional(),
  required: z.union([z.boolean(), logic]).optional(),
  default: value.optional().describe('read once, when the form opens'),
  rules: z.array(rule).max(10).optional(),
  show: logic.optional().describe('a field that does not show is not judged and not sent, and rules read it as absent'),
  enable: logic.optional(),
  min: value.optional().describe('least number, date or count'),
  max: value.optional().describe('greatest number, date or count'),
  step: value.optional().describe('decimal and integer: the entry is a multiple of it; its decimals are those that may be typed'),
  minLength: z.int().nonnegative().optional(),
  maxLength: z.int().positive().max(10_000).optional(),
  options: value.optional().describe('enum and list: [{id, label}]'),
  draft: z.boolean().optional().describe('false: never kept on the device; passwords and codes never are'),
  group: name.optional(),
  props: values.optional(),
  on: z.record(z.string(), steps).optional().describe('what events of the field widget do: send of a code field'),
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
        columns: z.int().min(2).max(3).optional().describe('fields side by side, where letters are not too large for that'),
      }),
    )
    .optional(),
  fields: z.array(field).min(1).max(300),
  rules: z
    .array(
      z.strictObject({
        test: logic.describe('true when the fields fit each other; always judged: an empty field reads as null, a hidden one is absent'),
        message: value,
        field: name.describe('where the message stands'),
        level: level.optional(),
      }),
    )
    .max(30)
    .optional(),
  submit: z.strictObject({
    label: value,
    enable: logic.optional(),
    steps: steps.describe('run when every field is right; form.<field> is what is sent'),
    danger: z.boolean().optional(),
  }),
  errors: errors.optional().describe('by problem code; a code with a field stands on that field'),
})
export type FormDoc = z.infer<typeof form>

/** Ids of the validation documents that a field names. */
export function validationsOf({ rules = [] }: Pick<FieldDoc, 'rules'>): string[] {
  return rules.flatMap((one) => (typeof one === 'string' ? [one] : 'use' in one ? [one.use] : []))
}
