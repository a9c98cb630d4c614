import { circleFrom, type Link } from '#language/lint/circles.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'

interface Move extends Link {
  entry: Entry
  pointer: string
}

/** `enter` steps of screens do not lead from one to the next and back again: nobody would ever arrive. */
export const enterCircles: Check = function* (world) {
  const moves = movesOf(world)
  const seen = new Set<string>()
  for (const move of moves) {
    const circle = circleFrom(move, moves)
    if (!circle) continue
    const name = circle
      .map(({ from }) => from)
      .sort()
      .join(' ')
    if (seen.has(name)) continue
    seen.add(name)
    const way = [...circle.map(({ from }) => from), move.from].join(' → ')
    if (circle.some(({ conditional }) => conditional))
      yield world.report(
        'enter-circles',
        move.entry,
        move.pointer,
        `"enter" may lead in a circle, ${way}: the conditions must exclude each other`,
        {
          severity: 'warn',
        },
      )
    else yield world.report('enter-circles', move.entry, move.pointer, `"enter" leads in a circle: ${way}`)
  }
}

function movesOf(world: World): Move[] {
  return world.screens.flatMap((entry) =>
    entry.own.steps.flatMap(({ step, pointer, depth, action }) => {
      const to = action.name === 'enter' && !action.node && 'go' in step && typeof step.go === 'string' && world.route(step.go)?.screen
      return to ? [{ from: entry.doc.id, to, entry, pointer: `${pointer}/go`, conditional: depth > 1 }] : []
    }),
  )
}
