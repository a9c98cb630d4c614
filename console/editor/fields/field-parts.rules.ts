import { type Control, type FormField, fieldsOf } from '#console/editor/values/fields.rules.ts'
import { isObject } from '#language/documents/json.ts'
import type { FieldType } from '#language/text/shorthand.ts'
import type { JsonSchema } from '#language/types/catalog.ts'

/** The members of a form field as an operator meets them: which of them suit its type, in what order, and the control of each. */

interface FieldParts {
  /** Label, hint, kind of answer and its options. */
  asked: FormField[]
  /** Whether it must be answered, and the answer that it begins with. */
  answer: FormField[]
  /** Least and greatest value, step, length. */
  limits: FormField[]
  more: FormField[]
}

const text: JsonSchema = { type: 'string' }
const optionSchema: JsonSchema = {
  type: 'object',
  properties: { id: text, label: { type: 'string', text: true }, note: { type: 'string', text: true } },
  required: ['id', 'label'],
}
const optionsSchema: JsonSchema = { type: 'array', items: optionSchema, maxItems: 200 }

const withOptions: readonly string[] = ['enum', 'list']
const withLimits: readonly string[] = ['decimal', 'integer', 'date', 'list', 'rows']
const withSteps: readonly string[] = ['decimal', 'integer']
const withLength: readonly string[] = ['string', 'password', 'code']
const withoutDefault: readonly string[] = ['password', 'code', 'file', 'rows']

/** Ids of options that are written in the document; undefined where they are computed. */
export function optionIdsOf(options: unknown): (string | number)[] | undefined {
  if (!Array.isArray(options)) return undefined
  return options.flatMap((one) => (isObject(one) && (typeof one.id === 'string' || typeof one.id === 'number') ? [one.id] : []))
}

/** The control of a constant answer. */
function answerControl(type: FieldType, options: unknown): Control {
  const ids = optionIdsOf(options)
  if (type === 'enum') return ids ? { kind: 'choice', options: ids } : { kind: 'line' }
  if (type === 'boolean') return { kind: 'switch' }
  if (type === 'decimal' || type === 'integer') return { kind: 'decimal' }
  if (type === 'date') return { kind: 'date' }
  if (type === 'list') return { kind: 'list', item: ids ? { type: 'string', enum: ids } : text, max: 200 }
  return { kind: 'line' }
}

const limitControl = (type: string): Control =>
  type === 'date'
    ? { kind: 'date' }
    : type === 'list' || type === 'rows'
      ? { kind: 'number', integer: true, min: 0, max: null }
      : { kind: 'decimal' }

/** Schemas of constants, for the initial value of a member that is added. */
const startOfControl = (control: Control): JsonSchema => {
  if (control.kind === 'switch') return { type: 'boolean' }
  if (control.kind === 'decimal') return { type: 'string', decimal: true }
  if (control.kind === 'number') return { type: 'integer' }
  if (control.kind === 'list') return { type: 'array', items: control.item }
  if (control.kind === 'choice') return { type: 'string', enum: [...control.options] }
  return text
}

/**
 * @param own schema of a field in the meta schema `meta`
 * @param widgets names of all field widgets
 */
export function partsOfField(
  field: Readonly<Record<string, unknown>>,
  own: JsonSchema,
  meta: JsonSchema,
  widgets: readonly string[],
  groups: readonly string[],
  pages: Readonly<Record<string, string>> = {},
): FieldParts {
  const type = field.type as FieldType
  const written = fieldsOf(own, meta)
  const member = (name: string, control?: Control, computed = true): FormField[] => {
    const found = written.find((one) => one.name === name)
    if (!found) return []
    return [{ ...found, help: '', words: 'fields', ...(control && { control, computed, schema: startOfControl(control) }) }]
  }
  const has = (types: readonly string[]) => types.includes(type)
  const typed = member('type', undefined, false).map((one) => ({ ...one, computed: false, choices: 'fields.type' }))
  const known = [
    'name',
    'label',
    'hint',
    'type',
    'widget',
    'options',
    'required',
    'default',
    'min',
    'max',
    'step',
    'minLength',
    'maxLength',
  ]
  const apart = [...known, 'rules', 'group', 'page', 'draft', 'fields', 'props', 'on', 'show', 'enable']
  return {
    asked: [
      ...member('label'),
      ...(Object.keys(pages).length > 0 ? member('page', { kind: 'choice', options: Object.keys(pages), labels: pages }, false) : []),
      ...member('hint'),
      ...typed,
      ...member('widget', { kind: 'choice', options: [...widgets] }, false),
      ...(has(withOptions)
        ? member('options').map(
            (one): FormField => ({
              ...one,
              required: type === 'enum',
              schema: optionsSchema,
              control: { kind: 'list', item: optionSchema, max: 200 },
              computed: true,
            }),
          )
        : []),
    ],
    answer: has(withoutDefault)
      ? field.default === undefined
        ? []
        : member('default', { kind: 'line' })
      : member('default', answerControl(type, field.options)),
    limits: [
      ...(has(withLimits) ? [...member('min', limitControl(type)), ...member('max', limitControl(type))] : []),
      ...(has(withSteps) ? member('step', { kind: 'decimal' }) : []),
      ...(has(withLength) ? [...member('minLength'), ...member('maxLength')] : []),
    ],
    more: [
      ...(groups.length > 0 ? member('group', { kind: 'choice', options: [...groups] }, false) : []),
      ...member('draft'),
      // Members that the language has gained since are edited by their schema.
      ...written.filter(({ name }) => !apart.includes(name)),
      ...unsuited(field, type, written),
    ],
  }
}

/** Members that are set though they have no effect on the type: shown, so that they can be removed. */
function unsuited(field: Readonly<Record<string, unknown>>, type: FieldType, written: readonly FormField[]): FormField[] {
  const lists: [names: readonly string[], types: readonly string[]][] = [
    [['min', 'max'], withLimits],
    [['step'], withSteps],
    [['minLength', 'maxLength'], withLength],
    [['options'], [...withOptions, 'string']],
  ]
  const names = lists.flatMap(([members, types]) => (types.includes(type) ? [] : members)).filter((name) => field[name] !== undefined)
  return written.filter(({ name }) => names.includes(name)).map((one) => ({ ...one, words: 'fields', control: { kind: 'line' } }))
}
