import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Answer, type Command, failed, hint } from '#config-server/cli/command.ts'
import { openProject } from '#config-server/cli/project.ts'
import { type Condition, partsOf } from '#config-server/cli/why-parts.ts'
import { functionOperators } from '#contract/functions/registry.ts'
import { type Clause, explain } from '#language/expression/explain.ts'
import { learn } from '#language/expression/expression.ts'
import { createWorld } from '#language/lint/world.ts'
import { parseLogic } from '#language/text/logic-text.ts'

learn(functionOperators)

const kinds = ['screen', 'form', 'quick-entries'] as const

export const whyCommand: Command = {
  name: 'why',
  takes: '<document> <part> --scope file.json | --logic',
  does: 'says what shows, hides, disables, requires, refuses or loads a part',
  more: [
    'Parts are nodes and sources (data.<name>) of a screen, fields of a form with their rules, and entries of a list of quick entries.',
    'A document is named by its id; where a screen and a form have the same, by its kind too: form/fund.withdraw.',
    '--logic prints the conditions as JSON-Logic trees, as releases hold them; `why "form.amount > 3" --logic` prints that of any expression.',
    'The file holds the roots that conditions read: {"data": {…}, "state": {…}, "form": {…}, "session": {…}, "params": {…}}.',
  ].join('\n'),
  async run(call) {
    const [id = '', name = ''] = call.words
    const file = call.options.get('scope')
    const asksTree = call.options.has('logic')
    if (asksTree && id !== '' && name === '') return treeOfText(id)
    if (id === '' || name === '' || (file === undefined && !asksTree)) return failed('why <document> <part> --scope file.json | --logic')
    const { documents, texts, catalog } = await openProject(call)
    const world = createWorld(documents, texts, catalog)
    const entries = kinds.flatMap((kind) => world.find(kind, id.startsWith(`${kind}/`) ? id.slice(kind.length + 1) : id) ?? [])
    if (entries.length === 0) {
      const ids = kinds.flatMap((kind) => world.ids(kind))
      return failed(`there is no screen, form or list of quick entries "${id}"${hint(id, ids)}`)
    }
    const parts = entries.flatMap((entry) => partsOf(entry, world))
    const part = parts.find((one) => one.name === name)
    if (!part) {
      const names = parts.map((one) => one.name)
      return failed(`"${id}" has no node, source, field or entry "${name}"${hint(name, names)}`)
    }
    const roots = file === undefined ? {} : (JSON.parse(await readFile(resolve(call.root, file), 'utf8')) as Record<string, unknown>)
    if (asksTree) return treesOf(part.conditions(roots))
    const found = part.conditions(roots).map(({ id: node, role, pointer, number, logic, scope }) => {
      const clause = explain(logic, scope)
      return {
        node,
        role,
        pointer,
        number,
        open: Boolean(clause.value) && clause.missing.length === 0 && clause.stopped === undefined,
        clause,
      }
    })
    const said = part.roles.flatMap(([role, open, closed]) => {
      const own = found.filter((one) => one.role === role)
      if (own.length === 0 && role !== 'show' && role !== 'enable' && role !== 'when') return []
      return [own.every((one) => one.open) ? open : closed]
    })
    const lines = found.flatMap((one) => [headLine(one), ...clauseLines(one.clause, 1)])
    const summary = `${name} is ${said.length > 0 ? said.join(' and ') : 'asked for'}`
    const is = (role: string) => found.every((one) => one.role !== role || one.open)
    return {
      ok: true,
      text: [...lines, summary].join('\n'),
      json: { ok: true, shown: is('show'), enabled: is('enable'), conditions: found },
    }
  },
}

/** A path that is all of an expression stands in a release as text; as a tree it is a read. */
const asTree = (logic: unknown) => (typeof logic === 'string' ? { var: logic } : logic)
const printed = (logic: unknown) => JSON.stringify(asTree(logic), null, 2)

function treeOfText(text: string): Answer {
  const read = parseLogic(text)
  if (!read.ok) return failed(`${text}: column ${read.problem.from + 1}: ${read.problem.message}`)
  return { ok: true, text: printed(read.logic), json: { ok: true, logic: asTree(read.logic) } }
}

function treesOf(conditions: readonly Condition[]): Answer {
  const trees = conditions.map(({ id: node, role, pointer, number, logic }) => ({ node, role, pointer, number, logic: asTree(logic) }))
  const lines = trees.flatMap((one) => [`${nameOf(one)}${one.pointer === undefined ? '' : `  ${one.pointer}`}`, printed(one.logic)])
  return { ok: true, text: trees.length > 0 ? lines.join('\n') : 'no condition decides over it', json: { ok: true, conditions: trees } }
}

const nameOf = ({ node, role, number }: { node: string; role: string; number: number | undefined }) =>
  [node, role, ...(number === undefined ? [] : [number])].join(' ')

/** `amount rule 2: closed  /fields/1/rules/1`. */
function headLine(one: { node: string; role: string; number: number | undefined; pointer: string | undefined; open: boolean }): string {
  return `${nameOf(one)}: ${one.open ? 'open' : 'closed'}${one.pointer === undefined ? '' : `  ${one.pointer}`}`
}

function clauseLines(clause: Clause, depth: number): string[] {
  const lost =
    clause.missing.length > 0 ? ` (missing: ${clause.missing.join(', ')})` : clause.stopped ? ` (stopped: ${clause.stopped})` : ''
  const value = clause.value === undefined ? 'nothing' : JSON.stringify(clause.value)
  const line = `${'  '.repeat(depth)}${clause.deciding ? '> ' : '  '}${clause.text}  is  ${value}${lost}`
  return [line, ...clause.children.filter(({ op }) => op !== 'literal').flatMap((child) => clauseLines(child, depth + 1))]
}
