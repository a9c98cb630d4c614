import * as z from 'zod'
import { limits } from '#language/documents/limits.ts'
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
  min: value.optional().describe('smallest number, earliest date or least count, also of rows'),
  max: value.optional().describe('largest number, latest date or greatest count, also of rows'),
  step: value.optional().describe('decimal and integer: the value must be a multiple of it; its number of decimals limits the input'),
  minLength: z.int().nonnegative().optional(),
  maxLength: z.int().positive().max(10_000).optional(),
  options: value.optional().describe('enum and list: [{id, label}]'),
  draft: z.boolean().optional().describe('false: never stored on the device; passwords and codes never are'),
  group: name.optional(),
  page: name.optional().describe('the page on which the field stands'),
  props: values.optional(),
  on: z.record(z.string(), steps).optional().describe('steps of the field widget’s events, such as send of a code field'),
})
const withWidget = <Field extends { type: FieldType; widget?: string | undefined }>({ widget, ...rest }: Field) => ({
  ...rest,
  widget: widget ?? usualWidgets[rest.type],
})

/** Types of fields in a row. Those that send files or codes stand in the form itself. */
export const cellTypes = ['string', 'decimal', 'integer', 'enum', 'boolean', 'date'] as const
const cell = written
  .omit({ follows: true, followsAgain: true, draft: true, group: true, page: true, on: true })
  .extend({ type: z.enum(cellTypes) })
  .transform(withWidget)

const fieldWritten = written
  .extend({
    fields: z
      .array(cell)
      .min(1)
      .max(limits.cellsMax)
      .optional()
      .describe('rows: the fields of each row, which read each other as `item.<name>`, and the place of their row, from 0, as `index`'),
  })
  .transform(withWidget)
/** A field of a form, or of its rows; `fields` are those of each row. */
export type FieldDoc = Omit<z.infer<typeof fieldWritten>, 'fields'> & { fields?: FieldDoc[] | undefined }
const field = fieldWritten as unknown as z.ZodType<FieldDoc>

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
  pages: z
    .array(
      z.strictObject({
        id: name,
        title: value,
        text: value.optional().describe('stands below the title'),
        show: logic.optional().describe('a hidden page is passed over, and its fields are hidden'),
        summary: z.literal(true).optional().describe('shows the entries of the pages before, each with a way back to it'),
      }),
    )
    .min(2)
    .max(limits.pagesMax)
    .optional()
    .describe('the form is shown page by page; fields say on which they stand'),
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
    by: name
      .optional()
      .describe(
        'an enum field: it has no control, and the form has one button for each of its options, which chooses the option and sends; label and enable are evaluated for each, with the option in form.<field>',
      ),
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
