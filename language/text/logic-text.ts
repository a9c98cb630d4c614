import type { Logic } from '#language/documents/documents.ts'
import { nearestKnown } from '#language/documents/nearest.ts'
import { compile, ExpressionProblem } from '#language/expression/expression.ts'
import { canonical } from '#language/publish/canonical.ts'
import { parseTree, type Range, type Tree } from '#language/text/logic-parser.ts'
import { LogicProblem } from '#language/text/logic-tokens.ts'
import { below } from '#language/text/position.ts'

/** `places`: JSON pointer into `logic` → its position in the text, so that a problem can be shown at the right place. */
type LogicText =
  | { ok: true; logic: Logic; places: ReadonlyMap<string, Range> }
  | { ok: false; problem: { from: number; to: number; message: string; expected: readonly string[]; suggestion?: string } }

/**
 * Parses what `toText` (infix.ts) writes: `form.amount <= data.info.available and session.kyc >= 1`. The result may be published, as far as
 * that is known without a document. A plain path gives `{"var": path}`. Also accepted: `&&`, `||`, `==`, `===`, `!==`, `≤`, `≥`, `≠`, texts
 * in double quotes. Never throws.
 */
export function parseLogic(text: string): LogicText {
  try {
    const tree = parseTree(text)
    const places = new Map<string, Range>()
    const logic = emit(tree, '', places) as Logic
    check(logic, places)
    return { ok: true, logic, places }
  } catch (problem) {
    if (!(problem instanceof LogicProblem)) throw problem
    const { from, to, message, expected, suggestion } = problem
    return { ok: false, problem: { from, to, message, expected, ...(suggestion !== undefined && { suggestion }) } }
  }
}

/** Whether two expressions are the same tree: `{"!": x}` equals `{"!": [x]}`, and a plain path equals `{"var": path}`. */
export function sameLogic(a: unknown, b: unknown): boolean {
  return canonical(normal(a, true)) === canonical(normal(b, true))
}

function normal(logic: unknown, top: boolean): unknown {
  if (top && typeof logic === 'string') return { var: [logic] }
  if (Array.isArray(logic)) return logic.map((part) => normal(part, false))
  if (typeof logic !== 'object' || logic === null) return Object.is(logic, -0) ? 0 : logic
  return Object.fromEntries(
    Object.entries(logic).map(([op, args]) => [op, (Array.isArray(args) ? args : [args]).map((arg) => normal(arg, false))]),
  )
}

function emit(tree: Tree, pointer: string, places: Map<string, Range>): unknown {
  const { from, to } = tree
  places.set(pointer, { from, to })
  if (tree.kind === 'literal') return tree.value
  if (tree.kind === 'list') return tree.items.map((item, i) => emit(item, below(pointer, i), places))
  if (tree.kind === 'path') {
    const op = tree.outer ? 'outer' : 'var'
    const at = below(pointer, op)
    const own = { from, to: tree.otherwise ? from + tree.path.length : to }
    places.set(at, own)
    if (!tree.otherwise) return { [op]: tree.path }
    places.set(below(at, 0), own)
    return { [op]: [tree.path, emit(tree.otherwise, below(at, 1), places)] }
  }
  if (tree.kind === 'fallback') {
    const at = below(pointer, 'if')
    const asked = below(below(at, 0), 'present')
    for (const place of [at, below(at, 0), asked]) places.set(place, tree.value)
    const parts = [
      emit(tree.value, below(asked, 0), places),
      emit(tree.value, below(at, 1), places),
      emit(tree.otherwise, below(at, 2), places),
    ]
    return { if: [{ present: [parts[0]] }, parts[1], parts[2]] }
  }
  const at = below(pointer, tree.op)
  const [only] = tree.args
  places.set(at, { from, to })
  if (tree.op === 'has' && only) {
    if (only.kind === 'path' && !only.otherwise && !only.outer) {
      places.set(at, only)
      return { has: only.path }
    }
    const computed = below(pointer, 'present')
    places.set(computed, { from, to })
    return { present: [emit(only, below(computed, 0), places)] }
  }
  if (tree.args.length === 1 && only && only.kind !== 'list') return { [tree.op]: emit(only, at, places) }
  return { [tree.op]: tree.args.map((arg, i) => emit(arg, below(at, i), places)) }
}

/** Finds what the language refuses beyond syntax: limits, literal words of operators, invalid paths. */
function check(logic: unknown, places: ReadonlyMap<string, Range>): void {
  if (logic === null || typeof logic === 'string')
    throw new LogicProblem(places.get('') as Range, 'a literal is not a condition', ['a path'])
  try {
    compile(logic)
  } catch (problem) {
    if (!(problem instanceof ExpressionProblem)) throw problem
    let at = problem.pointer
    while (at !== '' && !places.has(at)) at = at.slice(0, at.lastIndexOf('/'))
    const near = nearestKnown(problem.message)
    throw new LogicProblem(places.get(at) as Range, problem.message, [], near)
  }
}
