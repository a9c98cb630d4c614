import { limits } from '#language/documents/limits.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'
import type { LintProblem } from '#language/types/catalog.ts'

/** Ids tell nodes apart in one document, fragments included; a document stays within its bounds. */
export const ids: Check = function* (world) {
  for (const entry of world.entries) {
    const { nodes } = entry.facts
    const seen = new Map<string, string>()
    for (const { node, pointer, fragment, depth, field } of nodes) {
      const other = seen.get(node.id)
      const at = fragment === undefined ? `${pointer}/${field ? 'name' : 'id'}` : pointer
      if (other !== undefined) {
        const more = fragment === undefined ? `${node.id}-2` : undefined
        const whence = fragment === undefined ? '' : ` (from fragment "${fragment}"; give the use a name with "as")`
        yield world.report('ids', entry, at, `the id "${node.id}" stands already at ${other}${whence}`, { suggestion: more })
      } else seen.set(node.id, pointer)
      if (depth === limits.nodeDepthMax + 1)
        yield world.report('ids', entry, pointer, `nodes stand at most ${limits.nodeDepthMax} deep in each other`)
    }
    if (nodes.length > limits.nodesPerScreenMax)
      yield world.report('ids', entry, '/body', `a document has at most ${limits.nodesPerScreenMax} nodes`)
    yield* twice(world, entry)
  }
}

/** Lists beside the nodes whose parts have ids. */
function* twice(world: World, entry: Entry): Generator<LintProblem> {
  const { doc } = entry
  const lists: [pointer: string, parts: readonly { id: string }[]][] = []
  if (doc.kind === 'quick-entries') lists.push(['/entries', doc.entries])
  if (doc.kind === 'app') lists.push(['/languages', doc.languages])
  if (doc.kind === 'form') lists.push(['/groups', doc.groups ?? []])
  for (const [pointer, parts] of lists) {
    const known = parts.map(({ id }) => id)
    for (const [i, id] of known.entries())
      if (known.indexOf(id) < i)
        yield world.report('ids', entry, `${pointer}/${i}/id`, `the id "${id}" stands already at ${pointer}/${known.indexOf(id)}`, {
          suggestion: `${id}-2`,
        })
  }
}
