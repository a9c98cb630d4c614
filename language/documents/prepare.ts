import { type AnyDoc, type AppDoc, type Computed, type FormDoc, type FragmentDoc, kinds } from '#language/documents/documents.ts'
import { validationsOf } from '#language/documents/form.ts'
import { inline } from '#language/documents/inline.ts'
import { callOf, formatServed } from '#language/documents/nodes.ts'
import { segmentsOf, withSegments } from '#language/documents/segments.ts'
import { type Facts, factsOf } from '#language/documents/walk.ts'
import { compile, ExpressionProblem } from '#language/expression/expression.ts'
import { operators } from '#language/expression/operators.ts'
import { areaOf, compileValue } from '#language/expression/value.ts'
import { canonical } from '#language/publish/canonical.ts'
import { type Need, needs } from '#language/publish/covers.ts'
import { featuresOf } from '#language/publish/features.ts'
import { usualErrors } from '#language/text/shorthand.ts'
import type { Catalog, JsonSchema, PreparedDocument, SourceDocument, WidgetManifest } from '#language/types/catalog.ts'
import { propsIn } from '#language/types/prop-names.ts'
import { withStatuses } from '#language/types/statuses.ts'

/**
 * Prepares documents for publishing: inserts fragments and adds computed members. Fragments, flows and hidden entries are not published.
 * Expects documents without lint errors; what cannot be compiled adds nothing.
 * @param format version of the language of the release
 */
export function prepare(documents: readonly SourceDocument[], catalog: Catalog, format: number = formatServed): PreparedDocument[] {
  const app = documents.find(({ doc }) => doc.kind === 'app')?.doc as AppDoc | undefined
  const segments = segmentsOf(app)
  const fragments = new Map(
    documents.flatMap(({ doc }) => (doc.kind === 'fragment' ? [[doc.id, withSegments(doc as FragmentDoc, segments)] as const] : [])),
  )
  const forms = new Map(
    documents.flatMap(({ doc }) => (doc.kind === 'form' ? [[doc.id, withSegments(doc as FormDoc, segments)] as const] : [])),
  )
  const widgets = new Map(catalog.widgets.map((widget) => [widget.type, widget]))
  return documents
    .filter(({ doc }) => doc.kind !== 'fragment' && doc.kind !== 'flow')
    .map(({ key, doc: written }) => {
      const { doc, origins } = inline(withSegments(written, segments), { fragments, forms, how: 'table' })
      const { $schema: _, ...rest } = doc as AnyDoc
      const whole = withoutLabels(withoutHidden(rest as AnyDoc))
      const { doc: shown, facts } = withStatuses(whole, factsOf(whole, origins), widgets, catalog, app)
      const published = { ...withErrors(shown, facts), format: Math.min(shown.format, format) } as AnyDoc
      return { key, doc: published, canonical: canonical(published), computed: computed(published, facts, widgets) }
    })
}

/** No client gets a hidden entry, so builds that do not know the member `hidden` hide it as well. */
function withoutHidden(doc: AnyDoc): AnyDoc {
  return doc.kind === 'quick-entries' ? { ...doc, entries: doc.entries.filter(({ hidden }) => hidden !== true) } : doc
}

/** A document with calls says what happens to every refusal, for builds that know no default. */
function withErrors(doc: AnyDoc, { steps }: Facts): AnyDoc {
  if ((doc.kind !== 'screen' && doc.kind !== 'form') || !steps.some(({ step, kind }) => callOf(step) || kind === 'upload')) return doc
  return { ...doc, errors: { ...usualErrors, ...doc.errors } }
}

/** Names of segments are for operators alone; their conditions stay for rollouts. */
function withoutLabels(doc: AnyDoc): AnyDoc {
  if (doc.kind !== 'app' || !doc.segments) return doc
  const segments = Object.fromEntries(Object.entries(doc.segments).map(([name, { test }]) => [name, { test }]))
  return { ...doc, segments: segments as unknown as AppDoc['segments'] }
}

function computed(doc: AnyDoc, facts: Facts, widgets: ReadonlyMap<string, WidgetManifest>): Omit<Computed, 'sha256'> {
  const needed: Record<Need, Set<string>> = {
    widgets: new Set(),
    props: new Set(),
    operators: new Set(),
    words: new Set(),
    steps: new Set(),
    fields: new Set(),
    outcomes: new Set(),
  }
  const uses = new Set<string>()
  const areas = new Set<string>()
  for (const { node, field } of facts.nodes) {
    const [type = '', major] = node.widget.split('@')
    const known = widgets.get(type)
    needed.widgets.add(`${type}@${major ?? known?.major ?? 1}`)
    if (field) needed.fields.add(field.type)
    if (known && (major === undefined || Number(major) === known.major))
      for (const prop of propsIn(node.props ?? {}, known.props, type)) needed.props.add(prop)
    if (known)
      for (const [kind, id] of namedIn(node.props ?? {}, known.props)) {
        if (Object.hasOwn(kinds, kind)) uses.add(`${kind}/${id}`)
        if (kind === 'text') areas.add(areaOf(id))
      }
  }
  for (const { value, topic } of facts.values) {
    const compiled = attempt(() => compileValue(value))
    for (const operator of compiled?.expressions.flatMap((one) => one.operators) ?? []) needed.operators.add(operator)
    for (const word of wordsIn(value)) needed.words.add(word)
    // Fetched with the first row of the topic: no first screen says it.
    if (topic === undefined) for (const key of compiled?.texts ?? []) areas.add(areaOf(key))
  }
  for (const { logic } of facts.logics) {
    const compiled = attempt(() => compile(logic))
    for (const operator of compiled?.operators ?? []) needed.operators.add(operator)
    for (const key of compiled?.texts ?? []) areas.add(areaOf(key))
    for (const word of wordsIn(logic)) needed.words.add(word)
  }
  for (const { step } of facts.steps) if ('confirm' in step) uses.add(`prompt/${step.confirm}`)
  for (const { field } of facts.nodes) for (const rule of field ? validationsOf(field) : []) uses.add(`validation/${rule}`)
  for (const { kind } of facts.steps) needed.steps.add(kind)
  for (const feature of featuresOf(doc, facts)) needed.steps.add(feature)
  for (const outcome of Object.values(('errors' in doc && doc.errors) || {}))
    for (const member of Object.keys(outcome)) needed.outcomes.add(member)
  const requires = Object.fromEntries(needs.map((need) => [need, [...needed[need]].sort()])) as Record<Need, string[]>
  return {
    requires: { ...requires, format: doc.format },
    uses: [...uses].sort(),
    areas: [...areas].sort(),
  }
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (problem) {
    if (problem instanceof ExpressionProblem) return undefined
    throw problem
  }
}

/** Literal words of operators in an expression or in the expressions of a value: `format.rate`. */
function* wordsIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  for (const [name, part] of Object.entries(value)) {
    const words = Array.isArray(value) || !Object.hasOwn(operators, name) ? undefined : operators[name]?.words
    for (const [at, known] of Object.entries(words ?? {})) {
      const word: unknown = Array.isArray(part) ? part[Number(at)] : undefined
      if (typeof word === 'string' && known !== 'name' && known.includes(word)) yield `${name}.${word}`
    }
    yield* wordsIn(part)
  }
}

/** Documents that props refer to, as pairs of kind and id. */
export function* namedIn(value: unknown, schema: JsonSchema): Generator<readonly [string, string]> {
  if (typeof value === 'string' && typeof schema.ref === 'string' && value !== '') yield [schema.ref, value]
  for (const one of schema.anyOf ?? []) yield* namedIn(value, one)
  if (Array.isArray(value)) for (const part of value) yield* namedIn(part, schema.items ?? {})
  else if (typeof value === 'object' && value !== null) {
    for (const [name, part] of Object.entries(value)) {
      const inner = schema.properties && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined
      if (inner) yield* namedIn(part, inner)
    }
  }
}
