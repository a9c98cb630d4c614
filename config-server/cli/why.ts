import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Command, failed, hint } from '#config-server/cli/command.ts'
import { openProject } from '#config-server/cli/project.ts'
import { type Clause, explain } from '#language/explain.ts'
import { createWorld } from '#language/lint/world.ts'
import { scopeOf } from '#language/scope.ts'
import type { NodePlace } from '#language/walk.ts'

export const whyCommand: Command = {
  name: 'why',
  takes: '<screen> <node> --scope file.json',
  does: 'says what shows, hides or disables a node',
  more: 'The file holds the roots that conditions read: {"data": {…}, "state": {…}, "session": {…}, "params": {…}}.',
  async run(call) {
    const [screen = '', node = ''] = call.words
    const file = call.options.get('scope')
    if (screen === '' || node === '' || file === undefined) return failed('why <screen> <node> --scope file.json')
    const { documents, texts, catalog } = await openProject(call)
    const world = createWorld(documents, texts, catalog)
    const entry = world.find('screen', screen)
    if (!entry) return failed(`there is no screen "${screen}"${hint(screen, world.ids('screen'))}`)
    const places = entry.facts.nodes
    const place = places.find((one) => one.node.id === node)
    const names = places.map((one) => one.node.id)
    if (!place) return failed(`"${screen}" has no node "${node}"${hint(node, names)}`)
    const scope = scopeOf(JSON.parse(await readFile(resolve(call.root, file), 'utf8')) as Record<string, unknown>)
    const found = conditionsAround(place).map(({ id, role, logic }) => {
      const clause = explain(logic, scope)
      return { node: id, role, open: Boolean(clause.value) && clause.missing.length === 0 && clause.stopped === undefined, clause }
    })
    const shown = found.every(({ role, open }) => role !== 'show' || open)
    const enabled = found.every(({ role, open }) => role !== 'enable' || open)
    const lines = found.flatMap((one) => [`${one.node} ${one.role}: ${one.open ? 'open' : 'closed'}`, ...clauseLines(one.clause, 1)])
    const summary = `${node} is ${shown ? 'shown' : 'hidden'} and ${enabled ? 'enabled' : 'disabled'}`
    return { ok: true, text: [...lines, summary].join('\n'), json: { ok: true, shown, enabled, conditions: found } }
  },
}

/** Conditions of the nodes around, outermost first, then of the node itself. */
function conditionsAround(place: NodePlace): { id: string; role: 'show' | 'enable'; logic: unknown }[] {
  const outer = place.parent ? conditionsAround(place.parent).filter(({ role }) => role === 'show') : []
  const own = (['show', 'enable'] as const).flatMap((role) =>
    place.node[role] === undefined ? [] : [{ id: place.node.id, role, logic: place.node[role] }],
  )
  return [...outer, ...own]
}

function clauseLines(clause: Clause, depth: number): string[] {
  const lost =
    clause.missing.length > 0 ? ` (missing: ${clause.missing.join(', ')})` : clause.stopped ? ` (stopped: ${clause.stopped})` : ''
  const value = clause.value === undefined ? 'nothing' : JSON.stringify(clause.value)
  const line = `${'  '.repeat(depth)}${clause.deciding ? '> ' : '  '}${clause.text}  is  ${value}${lost}`
  return [line, ...clause.children.filter(({ op }) => op !== 'literal').flatMap((child) => clauseLines(child, depth + 1))]
}
