import type { AnyDoc, Logic } from '#language/documents/documents.ts'
import { limits } from '#language/documents/limits.ts'
import { type Given, type Misfit, substituteLogic } from '#language/documents/substitute.ts'
import { changeLogic } from '#language/edit/change-logic.ts'

/** Named values of a document; empty for kinds without any. */
export const namedValuesOf = (doc: AnyDoc): Readonly<Record<string, Logic>> => ('values' in doc && doc.values) || {}

/**
 * Replaces every `values.<name>` by its expression, inside definitions too. Unknown names, circular definitions and values that grow too
 * large stay as they are. A document without named values is returned unchanged.
 */
export function withNamedValues<Doc extends AnyDoc>(written: Doc): { doc: Doc; problems: Misfit[] } {
  const definitions = namedValuesOf(written)
  const problems: Misfit[] = []
  if (Object.keys(definitions).length === 0) return { doc: written, problems }
  const given: Given = new Map()
  const complain = (pointer: string) => (message: string) => problems.push({ pointer, message })

  /** Names of the definitions being expanded, outermost first. */
  const open: string[] = []
  const define = (name: string): void => {
    if (given.has(`values.${name}`)) return
    if (open.includes(name)) {
      const circle = [...open.slice(open.indexOf(name)), name].map((one) => `"${one}"`).join(' reads ')
      problems.push({ pointer: `/values/${name}`, message: `a value cannot be computed from itself: ${circle}` })
      return
    }
    open.push(name)
    for (const read of valuesIn(definitions[name])) if (Object.hasOwn(definitions, read)) define(read)
    open.pop()
    const logic = substituteLogic(definitions[name] as Logic, given, () => undefined)
    if (partsIn(logic) <= limits.expressionNodesMax) given.set(`values.${name}`, { $: logic })
    else
      problems.push({
        pointer: `/values/${name}`,
        message: `an expression has at most ${limits.expressionNodesMax} parts; with the values that it reads, "${name}" has more`,
      })
  }
  for (const name of Object.keys(definitions)) define(name)

  const doc = structuredClone(written)
  changeLogic(doc, (logic, pointer) => substituteLogic(logic as Logic, given, complain(pointer)))
  return { doc, problems }
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
