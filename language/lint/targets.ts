import type { ScreenDoc } from '#language/documents/documents.ts'
import { nearest } from '#language/documents/nearest.ts'
import { type Finding, members } from '#language/lint/judge.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'
import type { LintProblem } from '#language/types/catalog.ts'
import { paramTypes, type Types } from '#language/types/types.ts'

/** `go` steps, outcomes and quick entries lead to a route that exists, with the parameters that its screen declares. */
export const targets: Check = function* (world) {
  for (const entry of world.entries) {
    for (const place of entry.own.steps) {
      const { step, pointer } = place
      if ('go' in step && typeof step.go === 'string')
        yield* target(world, entry, step.go, step.params, world.typesAt(entry, place), pointer, 'go')
    }
    if (entry.doc.kind === 'quick-entries') {
      for (const [i, { to, params }] of entry.doc.entries.entries())
        yield* target(world, entry, to, params, entry.types, `/entries/${i}`, 'to')
    }
    if (entry.doc.kind === 'screen' || entry.doc.kind === 'form') {
      for (const [code, { go }] of Object.entries(entry.doc.errors ?? {})) {
        if (go !== undefined) yield* target(world, entry, go, undefined, entry.types, `/errors/${code}`, 'go')
      }
    }
  }
}

function* target(
  world: World,
  entry: Entry,
  to: string,
  params: Record<string, unknown> | undefined,
  types: Types,
  pointer: string,
  name: string,
): Generator<LintProblem> {
  if (!world.routes) return
  const route = world.route(to)
  if (!route) {
    yield world.report('targets', entry, `${pointer}/${name}`, `there is no route "${to}"`, { suggestion: nearest(to, world.routePaths) })
    return
  }
  const screen = world.find('screen', route.screen)?.doc as ScreenDoc | undefined
  if (!screen) return
  const schema = {
    ...paramTypes(screen.params),
    required: Object.entries(screen.params ?? {}).flatMap(([param, { required }]) => (required ? [param] : [])),
  }
  for (const { pointer: at, message, suggestion } of members(params ?? {}, schema, types, `${pointer}/params`).filter(isWrong)) {
    yield world.report('targets', entry, at, `${to}: ${message}`, { suggestion })
  }
}

const isWrong = ({ kind }: Finding) => kind !== 'text' && kind !== 'ref'
