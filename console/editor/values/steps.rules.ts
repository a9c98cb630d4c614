import { type FormField, fieldsOf, resolved, startOfAll } from '#console/editor/values/fields.rules.ts'
import { isObject } from '#language/documents/json.ts'
import type { JsonSchema } from '#language/types/catalog.ts'

/** One kind of step with the schema of its members. */
export interface StepForm {
  kind: string
  fields: FormField[]
  schema: JsonSchema
}

/** Kinds of steps, the most used first. */
const order = [
  'go',
  'back',
  'call',
  'confirm',
  'toast',
  'set',
  'open',
  'close',
  'refresh',
  'more',
  'if',
  'copy',
  'link',
  'share',
  'save',
  'export',
  'resend',
  'discard',
  'reset',
  'upload',
  'login',
  'logout',
  'return',
]

/** Every kind of step, from the meta schema of a document that has steps (screen or form). */
export function stepForms(meta: JsonSchema): StepForm[] {
  const defs = isObject(meta.$defs) ? Object.values(meta.$defs) : []
  const list = defs.find((one) => isObject(one) && one.type === 'array' && isObject(one.items) && Array.isArray(one.items.anyOf)) as
    | JsonSchema
    | undefined
  const forms = (list?.items?.anyOf ?? []).map((written): StepForm => {
    const schema = resolved(written, meta)
    return { kind: Object.keys(schema.properties ?? {})[0] ?? '', fields: fieldsOf(schema, meta), schema }
  })
  const rank = (kind: string) => (order.includes(kind) ? order.indexOf(kind) : order.length)
  return forms.filter(({ kind }) => kind !== '').sort((a, b) => rank(a.kind) - rank(b.kind))
}

export function formOfStep(step: unknown, forms: readonly StepForm[]): StepForm | undefined {
  return isObject(step) ? forms.find(({ kind, schema }) => kind in step && (schema.required ?? []).includes(kind)) : undefined
}

/** A new step. `first` are the names to start with: the first route, call, prompt. */
export function newStep({ kind, schema }: StepForm, first: (kind: string) => string): Record<string, unknown> {
  const made = startOfAll(schema)
  if (schema.properties?.[kind]?.const !== undefined) return { ...made, [kind]: schema.properties[kind]?.const }
  if (kind === 'toast') return { toast: { $t: '' } }
  if (kind === 'if') return { if: { var: 'session.logged_in' }, then: [] }
  if (kind === 'set') return { set: {} }
  if (kind === 'refresh') return { refresh: [first('refresh')].filter(Boolean) }
  if (kind === 'upload') return { upload: {}, as: 'picture' }
  if (kind === 'share') return { share: { url: '' } }
  if (kind === 'save') return { save: { name: 'list.csv', text: '', type: 'text/csv' } }
  if (kind === 'link') return { link: 'https://' }
  return kind in made && made[kind] === '' ? { ...made, [kind]: first(kind) } : made
}
