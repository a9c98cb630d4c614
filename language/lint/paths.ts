import type { Check } from '#language/lint/world.ts'
import { type PathProblem, typeOfLogic, typeOfValue } from '#language/paths.ts'

/** Every path that is read exists, with the types of params, state, sources, rows, results and what the app keeps. */
export const paths: Check = function* (world) {
  for (const entry of world.entries) {
    const values = new Set([...entry.facts.values, ...entry.own.values])
    const said = new Set<string>()
    const found = function* (problems: readonly PathProblem[], base: string, frozen: boolean) {
      for (const { pointer, message, suggestion, path } of problems) {
        const at = frozen ? base : pointer
        if (said.has(`${at} ${path}`)) continue
        said.add(`${at} ${path}`)
        yield world.report('paths', entry, at, message, { suggestion })
      }
    }
    for (const place of values) {
      const { problems } = typeOfValue(place.value, world.typesAt(entry, place), place.pointer)
      yield* found(problems, place.pointer, place.node?.fragment !== undefined)
    }
    for (const place of entry.facts.logics) {
      const { problems } = typeOfLogic(place.logic, world.typesAt(entry, place), place.pointer)
      yield* found(problems, place.pointer, place.node?.fragment !== undefined)
    }
  }
}
