import type { ScreenDoc, SourceDoc, Step } from '#language/documents/documents.ts'
import { ExpressionProblem } from '#language/expression/expression.ts'
import { compileValue } from '#language/expression/value.ts'
import { circleFrom, type Link } from '#language/lint/circles.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'
import { below } from '#language/text/position.ts'

/** `changed` steps of a source that make a source load again. */
interface Reload extends Link {
  pointer: string
}

/**
 * Steps that follow answers do not ask for the answer that they follow: each would bring the next, for ever. And nobody presses anything
 * before them, so they move no money.
 */
export const sourceCircles: Check = function* (world) {
  for (const entry of world.screens) {
    const links = Object.entries(entry.doc.data ?? {}).flatMap(([name, { on }]) =>
      linksOf(entry.doc, name, on?.changed ?? [], below(`/data/${name}/on`, 'changed'), false),
    )
    const told = new Set<string>()
    for (const link of links) {
      const way = circleFrom(link, links)
      const name = way && [...new Set(way.map(({ from }) => from))].sort().join(' ')
      if (!way || name === undefined || told.has(name)) continue
      told.add(name)
      const circle = [...way.map(({ from }) => from), link.from].map((one) => `"${one}"`).join(' → ')
      const severity = way.some(({ conditional }) => conditional) ? 'warn' : 'error'
      const message =
        severity === 'warn'
          ? `"changed" may load its own source again, ${circle}: the condition must end it`
          : `"changed" loads its own source again: ${circle}`
      yield world.report('source-circles', entry, link.pointer, message, { severity })
    }
    yield* unasked(world, entry)
  }
}

/** A call that moves money needs a person who presses something. */
function* unasked(world: World, entry: Entry) {
  for (const { step, pointer, action } of entry.own.steps)
    if (action.source !== undefined && 'call' in step && world.call(step.call)?.keyed === 'money')
      yield world.report('source-circles', entry, `${pointer}/call`, `${step.call} moves money, and nobody pressed anything before it`)
}

/** What the steps load again: sources that they name, and those whose arguments or condition read what they compute and set. */
function linksOf(doc: ScreenDoc, from: string, steps: readonly Step[], pointer: string, conditional: boolean): Reload[] {
  return steps.flatMap((step, i): Reload[] => {
    const at = below(pointer, i)
    if ('if' in step)
      return [...linksOf(doc, from, step.then, `${at}/then`, true), ...linksOf(doc, from, step.else ?? [], `${at}/else`, true)]
    if ('refresh' in step) return step.refresh.map((to, n) => ({ from, to, pointer: `${at}/refresh/${n}`, conditional }))
    if (!('set' in step)) return []
    return Object.entries(step.set).flatMap(([path, value]) => {
      // The same value again changes nothing.
      if (readsOf(value).length === 0) return []
      const readers = Object.entries(doc.data ?? {}).filter(([, source]) => reads(source, path.split('[', 1)[0] as string))
      return readers.map(([to]) => ({ from, to, pointer: below(`${at}/set`, path), conditional }))
    })
  })
}

const reads = ({ args, when }: SourceDoc, path: string): boolean =>
  [...readsOf(args ?? {}), ...(when === undefined ? [] : readsOf({ $: when }))].some((dep) => dep === path || dep.startsWith(`${path}.`))

function readsOf(value: unknown): readonly string[] {
  try {
    return compileValue(value as never).deps
  } catch (error) {
    // Another check tells of it.
    if (error instanceof ExpressionProblem) return []
    throw error
  }
}
