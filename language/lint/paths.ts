import { typedOf } from '#language/lint/typed.ts'
import type { Check } from '#language/lint/world.ts'

/** Every path that is read exists, with the types of params, state, sources, rows, results and what the app keeps. */
export const paths: Check = function* (world) {
  for (const entry of world.entries) {
    const said = new Set<string>()
    for (const { problems } of typedOf(world, entry)) {
      for (const { pointer, message, suggestion, path, about } of problems) {
        if (about !== undefined || said.has(`${pointer} ${path}`)) continue
        said.add(`${pointer} ${path}`)
        yield world.report('paths', entry, pointer, message, { suggestion })
      }
    }
  }
}
