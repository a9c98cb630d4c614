import type { FormDoc, QuickEntriesDoc, ScreenDoc, ValidationDoc } from '#language/documents/documents.ts'
import type { NodePlace } from '#language/documents/walk.ts'
import { compile, guard, type Scope } from '#language/expression/expression.ts'
import { scopeOf } from '#language/expression/scope.ts'
import { compileValue } from '#language/expression/value.ts'
import type { Entry, World } from '#language/lint/world.ts'
import { below } from '#language/text/position.ts'
import { noteRowKeys, rowKeysOf } from '#language/types/row-keys.ts'

/** One thing that can be asked about, and the conditions that decide over it. */
export interface Part {
  /** As it is asked for: a node, `data.<source>`, a field, an entry. */
  name: string
  /** The words of a summary while its conditions of a role are open and closed; in this order. */
  roles: readonly (readonly [role: string, open: string, closed: string])[]
  conditions(roots: Record<string, unknown>): readonly Condition[]
}
export interface Condition {
  id: string
  role: string
  /** Where the condition stands in the document; absent for a node, which its id finds. */
  pointer?: string
  /** Number of a rule in its list, from 1. */
  number?: number
  logic: unknown
  scope: Scope
}

const shown = ['show', 'shown', 'hidden'] as const
const enabled = ['enable', 'enabled', 'disabled'] as const

/** Everything of a document that conditions decide over. */
export function partsOf(entry: Entry, world: World): Part[] {
  const { doc } = entry
  if (doc.kind === 'screen') return [...entry.facts.nodes.map(nodePart), ...sourceParts(doc, world)]
  if (doc.kind === 'form') return fieldParts(doc, world)
  return doc.kind === 'quick-entries' ? entryParts(doc) : []
}

function nodePart(place: NodePlace): Part {
  return {
    name: place.node.id,
    roles: [shown, enabled],
    conditions: (roots) => conditionsAround(place).map((one) => ({ ...one, scope: scopeOf(roots) })),
  }
}

/** Conditions of the nodes around, outermost first, then of the node itself. */
function conditionsAround(place: NodePlace): { id: string; role: 'show' | 'enable'; logic: unknown }[] {
  const outer = place.parent ? conditionsAround(place.parent).filter(({ role }) => role === 'show') : []
  const own = (['show', 'enable'] as const).flatMap((role) =>
    place.node[role] === undefined ? [] : [{ id: place.node.id, role, logic: place.node[role] }],
  )
  return [...outer, ...own]
}

/** A source is loaded while its condition is open and no argument is missing. */
function sourceParts({ data = {} }: ScreenDoc, world: World): Part[] {
  return Object.entries(data).map(([name, { call, when, args }]) => ({
    name: `data.${name}`,
    roles: [
      ['when', 'asked for', 'not asked for'],
      ['args', 'complete', 'without an argument'],
    ],
    conditions(roots) {
      const scope = scopeOf(roots)
      const loaded = roots.data as Record<string, unknown> | undefined
      noteRowKeys(loaded?.[name], rowKeysOf(world.call(call)?.output ?? {}))
      const paths = Object.entries(args ?? {}).flatMap(([arg, value]) =>
        compileValue(value).expressions.flatMap((one) => one.paths.map(({ text }) => ({ text, arg }))),
      )
      return [
        ...(when === undefined ? [] : [{ id: name, role: 'when', logic: when, scope, pointer: `${below('/data', name)}/when` }]),
        ...paths.map(({ text, arg }) => ({
          id: name,
          role: 'args',
          logic: { has: text },
          scope,
          pointer: below(`${below('/data', name)}/args`, arg),
        })),
      ]
    },
  }))
}

function entryParts({ entries }: QuickEntriesDoc): Part[] {
  return entries.map(({ id, show, hidden }, at) => ({
    name: id,
    roles: [shown],
    conditions: (roots) => [
      ...(hidden ? [{ id, role: 'show', logic: false, scope: scopeOf(roots), pointer: `/entries/${at}/hidden` }] : []),
      ...(show === undefined ? [] : [{ id, role: 'show', logic: show, scope: scopeOf(roots), pointer: `/entries/${at}/show` }]),
    ],
  }))
}

/** A field with the conditions that show, enable and require it, and its rules. They read the form as the app does. */
function fieldParts(doc: FormDoc, world: World): Part[] {
  return doc.fields.map((field, at) => ({
    name: field.name,
    roles: [shown, enabled, ['required', 'required', 'not required'], ['rule', 'right', 'wrong']],
    conditions(roots) {
      const entered = (roots.form ?? {}) as Record<string, unknown>
      const raw = scopeOf({ ...roots, form: Object.fromEntries(doc.fields.map(({ name }) => [name, entered[name] ?? null])) })
      const judged = scopeOf({ ...roots, form: shownEntries(doc, entered, raw) })
      const group = doc.groups?.find(({ id }) => id === field.group)
      const own = (role: string, logic: unknown, scope = raw, more: Pick<Condition, 'pointer' | 'number'> = {}) =>
        logic === undefined || logic === false ? [] : [{ id: field.name, role, logic, scope, pointer: `/fields/${at}/${role}`, ...more }]
      const rules = (field.rules ?? []).flatMap((rule, index) => {
        const here = { pointer: `/fields/${at}/rules/${index}`, number: index + 1 }
        if (typeof rule === 'object' && 'test' in rule)
          return own('rule', rule.test, within(judged, { value: entered[field.name] ?? null }), here)
        const validation = world.find('validation', typeof rule === 'string' ? rule : rule.use)?.doc as ValidationDoc | undefined
        const given = typeof rule === 'object' ? compileValue(rule.with ?? {}).evaluate(judged, (key) => key).value : {}
        const usual = Object.entries(validation?.params ?? {}).flatMap(([name, param]) =>
          param.default === undefined ? [] : [[name, param.default] as const],
        )
        const params = { ...Object.fromEntries(usual), ...(given as object) }
        return own('rule', validation?.test, within(judged, { value: entered[field.name] ?? null, params }), here)
      })
      const across = (doc.rules ?? []).flatMap((rule, index) =>
        rule.field === field.name ? own('rule', rule.test, judged, { pointer: `/rules/${index}`, number: index + 1 }) : [],
      )
      return [
        ...own('show', group?.show, raw, { pointer: `/groups/${doc.groups?.findIndex(({ id }) => id === field.group)}/show` }),
        ...own('show', field.show),
        ...own('enable', field.enable),
        ...own('required', field.required, judged),
        ...rules,
        ...across,
      ]
    },
  }))
}

const within = (scope: Scope, roots: Record<string, unknown>): Scope => ({
  get: (root) => (Object.hasOwn(roots, root) ? roots[root] : scope.get(root)),
})

function shownEntries({ fields, groups = [] }: FormDoc, entered: Record<string, unknown>, scope: Scope): Record<string, unknown> {
  const open = (logic: unknown) => logic === undefined || guard(compile(logic), scope).open
  const visible = fields.filter(({ show, group }) => open(show) && open(groups.find(({ id }) => id === group)?.show))
  return Object.fromEntries(visible.map(({ name }) => [name, entered[name] ?? null]))
}
