import { formAround, namedValuesOf } from '#language/documents/named-values.ts'
import { substituteLogic } from '#language/documents/substitute.ts'
import { factsOf } from '#language/documents/walk.ts'
import { expressionsIn, operationsIn } from '#language/lint/trees.ts'
import type { Check, Entry } from '#language/lint/world.ts'
import { canonical } from '#language/publish/canonical.ts'

/** Named values of an entry with what they read put in, by their expression. */
const byExpression = (entry: Entry) =>
  new Map(Object.entries(namedValuesOf(entry.doc)).map(([name, logic]) => [canonical(logic), name] as const))

/** Reports a value of a form that its screen writes again: the screen reads the form's. */
export const repeatedValues: Check = function* (world) {
  for (const screen of world.entries) {
    if (screen.doc.kind !== 'screen') continue
    const forms = world.entries.filter(({ shownBy }) => shownBy.some((one) => one.source === screen.source))
    if (forms.every((form) => Object.keys(namedValuesOf(form.doc)).length === 0)) continue
    const own = namedValuesOf(screen.doc)
    for (const [name, logic] of Object.entries(own)) {
      const form = forms.find((one) => byExpression(one).has(canonical(logic)))
      const theirs = form && byExpression(form).get(canonical(logic))
      if (form && theirs !== undefined)
        yield world.report(
          'repeated-values',
          screen,
          `/values/${name}`,
          `the form "${form.doc.id}" has this as "values.${theirs}": read it, and remove it here`,
        )
    }
    yield* inExpressions(screen, forms)
  }

  function* inExpressions(screen: Entry, forms: readonly Entry[]) {
    const own = namedValuesOf(screen.doc)
    const isAmbiguous = (name: string) => {
      const meanings = forms.flatMap(({ doc }) => (Object.hasOwn(namedValuesOf(doc), name) ? [canonical(namedValuesOf(doc)[name])] : []))
      return Object.hasOwn(own, name) || new Set(meanings).size > 1
    }
    const written = factsOf(screen.source.doc)
    for (const { logic, pointer, node } of [
      ...written.logics,
      ...written.values.flatMap(({ value, pointer, node }) =>
        expressionsIn(value, pointer).map((one) => ({ logic: one.logic, pointer: one.pointer, node })),
      ),
    ]) {
      const around = formAround(node, pointer)
      for (const form of forms) {
        const named = byExpression(form)
        const given = new Map(
          [...Object.entries(own), ...(around === form.doc.id || around === undefined ? Object.entries(namedValuesOf(form.doc)) : [])].map(
            ([name, value]) => [`values.${name}`, { $: value }] as const,
          ),
        )
        for (const part of operationsIn(logic)) {
          const tree = substituteLogic({ [part.op]: [...part.args] } as never, given, () => undefined)
          const name = named.get(canonical(tree))
          if (name === undefined || part.op === 'var' || !hasTwo(tree) || (around !== form.doc.id && isAmbiguous(name))) continue
          yield world.report('repeated-values', screen, pointer, `the form "${form.doc.id}" has this as "values.${name}"`, {
            suggestion: `values.${name}`,
          })
          break
        }
      }
    }
  }
}

/** Whether an expression has more than one operation besides reads. */
const hasTwo = (logic: unknown): boolean => [...operationsIn(logic)].filter(({ op }) => op !== 'var').length > 1
