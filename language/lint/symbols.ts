import { nearest } from '#language/documents/nearest.ts'
import { expressionsOf, operationsIn, pathOf, pathsIn } from '#language/lint/trees.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'
import { below } from '#language/text/position.ts'
import type { LintProblem } from '#language/types/catalog.ts'

/** What holds the symbol of a market: `symbol`, `defaultSymbol`, `price_symbol`. Calls of the market take one as `match_id` as well, or a number. */
const isSymbolName = (name: string) => /(?:^s|[a-z]S|_s)ymbol$/.test(name) || name === 'match_id'
/** Lookups by a member of the rows: where(list, 'symbol', 'BTCUSDT'). */
const lookups = new Set(['where', 'whereIn'])

/** Symbols that documents write out are symbols of markets. */
export const symbols: Check = function* (world) {
  if (world.catalog.symbols.length === 0) return
  for (const entry of world.entries) {
    const { doc } = entry
    if (doc.kind === 'app')
      for (const [name, value] of Object.entries(doc.constants)) yield* judged(world, entry, name, value, below('/constants', name))
    if (doc.kind === 'screen' || doc.kind === 'fragment')
      for (const [name, param] of Object.entries(doc.params ?? {}))
        yield* judged(world, entry, name, param.default, `${below('/params', name)}/default`)
    if (doc.kind === 'flow')
      for (const [i, step] of doc.steps.entries())
        if ('open' in step)
          for (const [name, value] of Object.entries(step.params ?? {}))
            yield* judged(world, entry, name, value, below(`/steps/${i}/params`, name))
    for (const { value, name, role, pointer } of entry.own.values)
      if (role === 'param' || role === 'arg' || role === 'with') yield* judged(world, entry, name, value, pointer)
    for (const { logic, pointer } of expressionsOf(entry.own)) yield* inExpression(world, entry, logic, pointer)
  }
}

function* judged(world: World, entry: Entry, name: string, value: unknown, pointer: string): Generator<LintProblem> {
  if (isSymbolName(name)) for (const one of [value].flat()) yield* known(world, entry, one, pointer)
}

function* inExpression(world: World, entry: Entry, logic: unknown, pointer: string): Generator<LintProblem> {
  for (const path of pathsIn({ $: logic })) {
    const [root, symbol = ''] = path.split('.')
    if (root === 'feed' && !symbol.includes('[')) yield* known(world, entry, symbol, pointer)
  }
  for (const { op, args, pointer: inside } of operationsIn(logic)) {
    if (op === '===' || op === '!==' || op === 'in') {
      const at = args.findIndex(
        (arg) => typeof arg === 'object' && !Array.isArray(arg) && isSymbolName(pathOf(arg)?.split('.').at(-1) ?? ''),
      )
      if (at >= 0) for (const word of [args[1 - at]].flat()) yield* known(world, entry, word, pointer + inside)
    } else if (lookups.has(op) && typeof args[1] === 'string' && isSymbolName(args[1]))
      for (const word of [args[2]].flat()) yield* known(world, entry, word, pointer + inside)
  }
}

function* known(world: World, entry: Entry, symbol: unknown, pointer: string): Generator<LintProblem> {
  const { symbols } = world.catalog
  if (typeof symbol !== 'string' || symbol === '' || /^\d+$/.test(symbol) || symbols.includes(symbol)) return
  yield world.report('symbols', entry, pointer, `there is no market "${symbol}"`, { suggestion: nearest(symbol, symbols) })
}
