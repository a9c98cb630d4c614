import type { FieldDoc, FieldType, FormDoc, ValidationDoc } from '#language/documents/documents.ts'
import { nearest } from '#language/documents/nearest.ts'
import { members } from '#language/lint/judge.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'
import type { LintProblem } from '#language/types/catalog.ts'
import { paramTypes } from '#language/types/types.ts'

/** Widgets that stand in a form are named `…-field`, and stand nowhere else. */
const isField = (widget: string) => (widget.split('@', 1)[0] as string).endsWith('-field')

/** What a bound means something for. */
const bounds: Record<'min' | 'max' | 'step' | 'minLength' | 'maxLength' | 'options', readonly FieldType[]> = {
  min: ['decimal', 'integer', 'date', 'list'],
  max: ['decimal', 'integer', 'date', 'list'],
  step: ['decimal', 'integer'],
  minLength: ['string', 'password', 'code'],
  maxLength: ['string', 'password', 'code'],
  options: ['enum', 'list', 'string'],
}

/** Fields of forms: widgets that can stand there, rules that exist and get what they need, bounds that fit the type, groups that are declared. */
export const fields: Check = function* (world) {
  for (const entry of world.entries) {
    for (const { node, pointer, field, fragment } of entry.own.nodes) {
      if (!field && isField(node.widget) && fragment === undefined)
        yield world.report('fields', entry, `${pointer}/widget`, `${node.widget} stands in a form, not in a ${entry.doc.kind}`)
    }
    if (entry.doc.kind !== 'form') continue
    const names = entry.doc.fields.map(({ name }) => name)
    const groups = (entry.doc.groups ?? []).map(({ id }) => id)
    for (const [i, field] of entry.doc.fields.entries()) yield* judged(world, entry, field, groups, `/fields/${i}`)
    for (const [i, { field }] of ((entry.doc as FormDoc).rules ?? []).entries()) {
      if (!names.includes(field))
        yield world.report('fields', entry, `/rules/${i}/field`, `the form has no field "${field}"`, { suggestion: nearest(field, names) })
    }
  }
}

function* judged(world: World, entry: Entry, field: FieldDoc, groups: readonly string[], pointer: string): Generator<LintProblem> {
  if (world.widget(field.widget) && !isField(field.widget)) {
    const suggestion = nearest(`${field.widget}-field`, world.catalog.widgets.map(({ type }) => type).filter(isField))
    yield world.report('fields', entry, `${pointer}/widget`, `${field.widget} takes no input: fields are shown by widgets named …-field`, {
      suggestion,
    })
  }
  if (field.group !== undefined && !groups.includes(field.group))
    yield world.report('fields', entry, `${pointer}/group`, `there is no group "${field.group}"`, {
      suggestion: nearest(field.group, groups),
    })
  if (field.type === 'enum' && field.options === undefined)
    yield world.report('fields', entry, pointer, 'a field of type enum wants "options"')
  for (const [name, types] of Object.entries(bounds) as [keyof typeof bounds, readonly FieldType[]][]) {
    if (field[name] !== undefined && !types.includes(field.type))
      yield world.report('fields', entry, `${pointer}/${name}`, `"${name}" means nothing for a field of type ${field.type}`)
  }
  for (const [i, rule] of (field.rules ?? []).entries()) {
    const id = typeof rule === 'string' ? rule : 'use' in rule ? rule.use : undefined
    if (id === undefined) continue
    const at = `${pointer}/rules/${i}`
    const found = world.find('validation', id)
    if (!found) {
      yield world.report('fields', entry, typeof rule === 'string' ? at : `${at}/use`, `there is no validation "${id}"`, {
        suggestion: nearest(id, world.ids('validation')),
      })
      continue
    }
    const { params = {} } = found.doc as ValidationDoc
    const needed = Object.entries(params).flatMap(([name, param]) => (param.required && param.default === undefined ? [name] : []))
    const given = typeof rule === 'object' && 'use' in rule ? (rule.with ?? {}) : {}
    for (const { message, suggestion } of members(given, { ...paramTypes(params), required: needed }, entry.types, at))
      yield world.report('fields', entry, at, `validation "${id}": ${message}`, { suggestion })
  }
}
