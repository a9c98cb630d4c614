import { limits } from '#language/documents/limits.ts'
import { isFunctionName, type Operator } from '#language/expression/operator.ts'
import { operators, refusedOperators } from '#language/expression/operators.ts'
import {
  compileElementPath,
  compilePath,
  type ExpressionCode,
  ExpressionProblem,
  type Path,
  type PathOptions,
} from '#language/expression/scope.ts'

/** Internal operators of the checked tree, which documents cannot write. */
export const inner = {
  read: 'read',
  element: 'element',
  hasRead: 'has',
  hasElement: 'element-has',
  apart: 'apart',
  found: 'found',
  call: 'call',
  items: 'items',
  tick: 'tick',
} as const

/** Stands where an amount has no value. */
const noAmount = '–'

/** A checked tree: paths are indices into `paths`, lists and bodies have their limits. */
export interface Checked {
  tree: unknown
  paths: readonly Path[]
  deps: readonly string[]
  operators: readonly string[]
  /** Text keys whose words it gives. */
  texts: readonly string[]
}

/** Lint checks the arguments of functions; a function that is not learned computes nothing. */
const anyFunction: Operator = { min: 0, max: 20 }

interface Place {
  depth: number
  pointer: string
  element: boolean
}

/** `case(value, a, x, b, y, otherwise)` as an `if`, so that only the chosen value is computed. */
function chosen([value, ...rest]: readonly unknown[]): unknown {
  const otherwise = rest.length % 2 === 1 ? rest.at(-1) : null
  const branches = Array.from({ length: rest.length >> 1 }, (_, i) => [{ '===': [value, rest[2 * i]] }, rest[2 * i + 1]])
  return { if: [...branches.flat(1), otherwise] }
}

/** `money(value, coin, kind, option)` as a formatted amount before its coin, or a dash where there is no value. */
function moneyText([value, coin, kind = 'amount', ...option]: readonly unknown[]): unknown {
  const isThere = { present: [{ [inner.apart]: [] }, value] }
  return { if: [isThere, { cat: [{ format: [kind, value, ...option] }, ' ', coin] }, noAmount] }
}

/** Validates an expression and prepares it for evaluation. @throws ExpressionProblem */
export function checkLogic(logic: unknown, options: PathOptions = {}): Checked {
  const paths: Path[] = []
  const deps = new Set<string>()
  const used = new Set<string>()
  const texts = new Set<string>()
  let nodes = 0
  /** Nodes that json-logic-js walks without calling an operator; they are charged once per element. */
  let uncounted = 0

  function refuse(code: ExpressionCode, place: Place, message: string): never {
    throw new ExpressionProblem(code, place.pointer, message)
  }

  function addPath(path: Path): number {
    const known = paths.findIndex((other) => other.text === path.text && other.root === path.root)
    if (known >= 0) return known
    for (const dep of path.deps) deps.add(dep)
    return paths.push(path) - 1
  }

  function visit(node: unknown, place: Place): unknown {
    nodes += 1
    uncounted += 1
    if (nodes > limits.expressionNodesMax) refuse('too_large', place, `an expression has at most ${limits.expressionNodesMax} parts`)
    if (place.depth > limits.expressionDepthMax)
      refuse('too_deep', place, `an expression is at most ${limits.expressionDepthMax} levels deep`)
    if (node === null || typeof node === 'boolean') return node
    if (typeof node === 'string') return node.length <= limits.expressionTextMax ? node : refuse('too_large', place, 'a text is too long')
    if (typeof node === 'number') return Number.isFinite(node) ? node : refuse('not_logic', place, 'not a number of JSON')
    if (Array.isArray(node))
      return node.map((part, i) => visit(part, { ...place, depth: place.depth + 1, pointer: `${place.pointer}/${i}` }))
    if (typeof node !== 'object') return refuse('not_logic', place, 'not JSON')
    return operation(node as Record<string, unknown>, place)
  }

  function operation(node: Record<string, unknown>, place: Place): unknown {
    const keys = Object.keys(node)
    const op = keys[0]
    if (keys.length !== 1 || op === undefined) return refuse('not_logic', place, 'an operation is an object with one member, the operator')
    const here = { ...place, pointer: `${place.pointer}/${op.replaceAll('~', '~0').replaceAll('/', '~1')}` }
    if (Object.hasOwn(refusedOperators, op)) refuse('refused_operator', here, `"${op}" is not available: ${refusedOperators[op]}`)
    const known = Object.hasOwn(operators, op) ? operators[op] : isFunctionName(op) ? anyFunction : undefined
    if (!known) return refuse('unknown_operator', here, `there is no operator "${op}"`)
    const written = node[op]
    const listed = Array.isArray(written)
    const args: readonly unknown[] = listed ? written : [written]
    if (args.length > known.max) refuse('arguments', here, `"${op}" takes at most ${known.max} arguments`)
    if (args.length < known.min) refuse('arguments', here, `"${op}" takes at least ${known.min} arguments`)
    used.add(op)
    const at = (i: number): Place => ({ ...here, depth: place.depth + 1, pointer: listed ? `${here.pointer}/${i}` : here.pointer })
    if (op === 'var' || op === 'has') return reading(op, args, at, place.element)
    if (op === 'outer') {
      if (!place.element) refuse('refused_operator', here, '"outer" is only allowed inside an iteration')
      return reading('var', args, at, false)
    }
    if (op === 'present') return { [op]: [{ [inner.apart]: [] }, visit(args[0], at(0))] }
    checkWords(op, args, at)
    if (op === 't') texts.add(String(args[0]))
    for (const root of known.reads ?? []) deps.add(root)
    if (place.element && (known.body || known.scans)) refuse('nested_iteration', here, `"${op}" is not allowed inside another iteration`)
    if (known.body) return iteration(op, args, at)
    const visited = args.map((arg, i) => visit(arg, at(i)))
    if (op === 'case') return chosen(visited)
    if (op === 'money') return moneyText(visited)
    return isFunctionName(op) ? { [inner.call]: [op, ...visited] } : { [op]: visited }
  }

  function reading(op: 'var' | 'has', args: readonly unknown[], at: (i: number) => Place, element: boolean): unknown {
    const written = args[0]
    const place = at(0)
    nodes += 1
    if (typeof written !== 'string') return refuse('computed_path', place, `the path of "${op}" must be literal, not computed`)
    if (written === '' && !element) refuse('bad_path', place, 'an empty path is not allowed')
    const path = element ? compileElementPath(written, place.pointer) : compilePath(written, { ...options, pointer: place.pointer })
    const k = addPath(path)
    if (path.root === 'values') {
      const named = options.named?.(String(path.segments[0]))
      for (const one of named?.operators ?? []) used.add(one)
      for (const one of named?.texts ?? []) texts.add(one)
    }
    if (op === 'has') return { [element ? inner.hasElement : inner.hasRead]: [k] }
    const read = element ? inner.element : inner.read
    return { [read]: args.length > 1 ? [k, visit(args[1], at(1))] : [k] }
  }

  function checkWords(op: string, args: readonly unknown[], at: (i: number) => Place): void {
    const known = operators[op]
    args.forEach((arg, i) => {
      const words = known?.words?.[i] ?? (known?.namesFrom !== undefined && i >= known.namesFrom ? 'name' : undefined)
      if (words === undefined) return
      if (typeof arg !== 'string') refuse('computed_name', at(i), `"${op}" requires a literal here, not a computed value`)
      if (words === 'name') {
        if (!/^[A-Za-z_][A-Za-z0-9_.-]{0,79}$/.test(arg) || /^(__proto__|constructor|prototype)$/.test(arg))
          refuse('computed_name', at(i), `"${arg}" is not the name of a member`)
      } else if (!words.includes(arg)) refuse('arguments', at(i), `"${op}" knows ${words.join(', ')}, not "${arg}"`)
    })
  }

  function iteration(op: string, args: readonly unknown[], at: (i: number) => Place): unknown {
    const list = { [inner.items]: [visit(args[0], at(0))] }
    const before = uncounted
    const body = visit(args[1], { ...at(1), element: true })
    const weight = 1 + ((uncounted - before) >> 3)
    const rest = args.slice(2).map((arg, i) => visit(arg, at(i + 2)))
    const each = { if: [{ [inner.tick]: [weight] }, body] }
    return op === 'find' ? { [inner.found]: [{ filter: [list, each] }, ...rest] } : { [op]: [list, each, ...rest] }
  }

  const tree = visit(logic, { depth: 0, pointer: options.pointer ?? '', element: false })
  return { tree, paths, deps: [...deps], operators: [...used].sort(), texts: [...texts] }
}
