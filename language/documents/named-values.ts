import type { AnyDoc, FormDoc, FragmentDoc, Logic } from '#language/documents/documents.ts'
import { limits } from '#language/documents/limits.ts'
import { type Given, type Misfit, substituteLogic } from '#language/documents/substitute.ts'
import type { NodePlace } from '#language/documents/walk.ts'
import { changeLogic } from '#language/edit/change-logic.ts'

/** Named values of a document; empty for kinds without any. */
export const namedValuesOf = (doc: AnyDoc): Readonly<Record<string, Logic>> => ('values' in doc && doc.values) || {}

/**
 * Other documents whose names a document may read, and what becomes of a read of a named value: `expressions` puts the expression in its
 * place, for checks; `table` leaves the read and keeps the expression among the document's `values`, which an engine evaluates once per change.
 */
export interface Names {
  fragments: ReadonlyMap<string, FragmentDoc>
  forms: ReadonlyMap<string, FormDoc>
  how: 'expressions' | 'table'
}

/**
 * Resolves every `values.<name>`, inside definitions too. The slots of a form read the form's values before those of the document; elsewhere
 * a document reads a value of its forms when the name means the same in all of them that have it. Unknown names, circular definitions and values that grow too
 * large stay as they are. A document that cannot read any named value is returned unchanged.
 */
export function withNamedValues<Doc extends AnyDoc>(written: Doc, names: Names): { doc: Doc; problems: Misfit[] } {
  const definitions = namedValuesOf(written)
  const forms = formsOf(written, names)
  if (Object.keys(definitions).length === 0 && forms.every((form) => Object.keys(namedValuesOf(form)).length === 0))
    return { doc: written, problems: [] }
  const taken = new Set(Object.keys(definitions))
  const ofForms = new Map(forms.map((form) => [form.id, resolved(namedValuesOf(form), names.how, new Map(), nameWithin(form.id, taken))]))
  const around: Given = new Map()
  const expressions = new Map(forms.map((form) => [form.id, resolved(namedValuesOf(form), 'expressions', new Map(), (name) => name).given]))
  for (const { given } of ofForms.values())
    for (const [read, value] of given) {
      const meanings = new Set([...expressions.values()].flatMap((one) => (one.has(read) ? [JSON.stringify(one.get(read))] : [])))
      if (meanings.size === 1 && !Object.hasOwn(definitions, read.slice('values.'.length))) around.set(read, value)
    }
  const own = resolved(definitions, names.how, around, (name) => name)
  const inside = new Map([...ofForms].map(([id, { given }]) => [id, new Map([...own.given, ...given])]))
  const problems = [...own.problems]
  const doc = structuredClone(written)
  changeLogic(doc, (logic, pointer, node) => {
    const form = formAround(node, pointer)
    const given = (form === undefined ? undefined : inside.get(form)) ?? own.given
    return substituteLogic(logic as Logic, given, (message) => problems.push({ pointer, message }))
  })
  if (names.how === 'expressions') return { doc, problems }
  return { doc: withTable(doc, Object.assign({}, ...[...ofForms.values()].map(({ table }) => table), own.table)), problems }
}

/** The document with other named values. */
export function withTable<Doc extends AnyDoc>(doc: Doc, table: Readonly<Record<string, Logic>>): Doc {
  const { values: _, ...rest } = doc as Doc & { values?: unknown }
  return (Object.keys(table).length > 0 ? { ...rest, values: table } : rest) as Doc
}

/** Returns a function that gives names of a part a prefix, and does not give one twice or one that is taken. */
export function nameWithin(part: string, taken: Set<string>): (name: string) => string {
  const made = new Map<string, string>()
  return (name) => {
    const before = made.get(name)
    if (before !== undefined) return before
    let long = `${part.replace(/\W/g, '_')}_${name}`
    while (taken.has(long)) long += '_'
    taken.add(long)
    made.set(name, long)
    return long
  }
}

interface Resolved {
  given: Given
  table: Record<string, Logic>
  problems: Misfit[]
}

/** @param around values of other documents that the definitions may read @param named name of a value in the table */
function resolved(
  definitions: Readonly<Record<string, Logic>>,
  how: Names['how'],
  around: Given,
  named: (name: string) => string,
): Resolved {
  const given: Given = new Map(around)
  const table: Record<string, Logic> = {}
  const problems: Misfit[] = []
  /** Names of the definitions being expanded, outermost first. */
  const open: string[] = []
  const done = new Set<string>()
  const define = (name: string): void => {
    if (done.has(name)) return
    if (open.includes(name)) {
      const circle = [...open.slice(open.indexOf(name)), name].map((one) => `"${one}"`).join(' reads ')
      problems.push({ pointer: `/values/${name}`, message: `a value cannot be computed from itself: ${circle}` })
      return
    }
    open.push(name)
    for (const read of valuesIn(definitions[name])) if (Object.hasOwn(definitions, read)) define(read)
    open.pop()
    done.add(name)
    const logic = substituteLogic(definitions[name] as Logic, given, () => undefined)
    if (partsIn(logic) > limits.expressionNodesMax)
      problems.push({
        pointer: `/values/${name}`,
        message: `an expression has at most ${limits.expressionNodesMax} parts; with the values that it reads, "${name}" has more`,
      })
    else if (how === 'expressions' || typeof logic !== 'object' || logic === null) given.set(`values.${name}`, { $: logic })
    else {
      table[named(name)] = logic
      given.set(`values.${name}`, { $: { var: `values.${named(name)}` } })
    }
  }
  for (const name of Object.keys(definitions)) define(name)
  return { given, table, problems }
}

const isForm = (node: { widget?: unknown }) => String(node.widget).split('@', 1)[0] === 'form'

/** Forms that a document shows, those in its fragments included. */
export function formsOf(doc: AnyDoc, { fragments, forms }: Pick<Names, 'fragments' | 'forms'>): FormDoc[] {
  if (doc.kind !== 'screen' && doc.kind !== 'fragment') return []
  const ids = new Set<string>()
  const seen = new Set<string>()
  const visit = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return
    const { props, use } = part as { props?: { form?: unknown }; use?: unknown }
    if (isForm(part as { widget?: unknown }) && typeof props?.form === 'string') ids.add(props.form)
    if (typeof use === 'string' && !seen.has(use)) {
      seen.add(use)
      visit(fragments.get(use))
    }
    for (const inner of Object.values(part)) visit(inner)
  }
  visit(doc)
  return [...ids].flatMap((id) => forms.get(id) ?? [])
}

/** The form in whose slots a place of a document is. @param pointer of the place; that of a fragment's argument has no node of its own */
export function formAround(node: NodePlace | undefined, pointer = ''): string | undefined {
  const formOf = (place: NodePlace) => (isForm(place.node) ? (place.node.props?.form as string | undefined) : undefined)
  if (node && pointer.startsWith(`${node.pointer}/slots/`) && formOf(node) !== undefined) return formOf(node)
  for (let at = node; at?.parent; at = at.parent) {
    const form = at.slot === undefined ? undefined : formOf(at.parent)
    if (form !== undefined) return form
  }
  return undefined
}

/** Number of operators and operands of an expression. Counting stops early above the limit, because values can double each other. */
function partsIn(logic: unknown, most: number = limits.expressionNodesMax + 1): number {
  if (typeof logic !== 'object' || logic === null) return 1
  let count = 1
  for (const part of Object.values(logic)) if (count <= most) count += partsIn(part, most - count)
  return count
}

/** Names of the values that an expression reads. */
export function valuesIn(logic: unknown): Set<string> {
  return new Set([...JSON.stringify(logic).matchAll(/\bvalues\.([A-Za-z_]\w*)/g)].map(([, name]) => name as string))
}
