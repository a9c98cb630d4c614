import { createHash } from 'node:crypto'
import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readCatalog } from '#config-server/catalog.ts'
import { readSources } from '#config-server/files.ts'
import type { Catalog, LintProblem, SourceDocument, TextCatalog } from '#language/catalog.ts'
import { type Clause, explain } from '#language/explain.ts'
import { ExpressionProblem, scopeOf } from '#language/expression.ts'
import { lint } from '#language/lint/run.ts'
import { createWorld } from '#language/lint/world.ts'
import { nearest } from '#language/nearest.ts'
import { parse } from '#language/parse.ts'
import { below, lineOf, outline } from '#language/position.ts'
import { prepare } from '#language/prepare.ts'
import type { NodePlace } from '#language/walk.ts'

const usage = `npm run cfg -- <command> [--json]

  lint                                    checks every document and text
  why <screen> <node> --scope file.json   says what shows, hides or disables a node; the file holds the roots: {"data": {…}, "state": {…}}
  where-used <id>                         finds a document, widget, call, route or text key
  export <dir>                            writes every document as it is published, with release.json

Exit status 0, or 1 when something is wrong or was not found.
`

interface Project {
  root: string
  documents: SourceDocument[]
  texts: TextCatalog
  catalog: Catalog
  /** What could not be read. */
  problems: LintProblem[]
}

/** What a command found: text for people, data for machines. */
interface Answer {
  ok: boolean
  text: string
  json: unknown
}
type Command = (project: Project, args: readonly string[], options: ReadonlyMap<string, string>) => Answer | Promise<Answer>

const failed = (text: string): Answer => ({ ok: false, text, json: { ok: false, message: text } })

async function open(root: string): Promise<Project> {
  const [sources, catalog] = await Promise.all([readSources(root), readCatalog(root)])
  const { documents, problems } = parse(sources.files)
  return { root, documents, texts: sources.texts, catalog, problems: [...sources.problems, ...problems] }
}

export function showProblem({ file, line, pointer, check, severity, message, suggestion }: LintProblem): string {
  const hint = suggestion === undefined ? '' : `\n    nearest: ${suggestion}`
  return `${file}:${line} ${severity} ${check} ${pointer}\n    ${message}${hint}`
}

const lintAll: Command = ({ documents, texts, catalog, problems: unread }) => {
  const problems = [...unread, ...lint(documents, texts, catalog)]
  const errors = problems.filter(({ severity }) => severity === 'error').length
  const count = `${documents.length} documents, ${errors} errors, ${problems.length - errors} warnings`
  return { ok: errors === 0, text: [...problems.map(showProblem), count].join('\n'), json: { ok: errors === 0, problems } }
}

const why: Command = async ({ root, documents, texts, catalog }, [screen = '', node = ''], options) => {
  const file = options.get('scope')
  if (screen === '' || node === '' || file === undefined) return failed('why <screen> <node> --scope file.json')
  const world = createWorld(documents, texts, catalog)
  const entry = world.find('screen', screen)
  if (!entry) return failed(`there is no screen "${screen}"${hint(screen, world.ids('screen'))}`)
  const places = entry.facts.nodes
  const place = places.find((one) => one.node.id === node)
  const names = places.map((one) => one.node.id)
  if (!place) return failed(`"${screen}" has no node "${node}"${hint(node, names)}`)
  const scope = scopeOf(JSON.parse(await readFile(resolve(root, file), 'utf8')) as Record<string, unknown>)
  const found = conditionsAround(place).map(({ id, role, logic }) => {
    const clause = explain(logic, scope)
    return { node: id, role, open: Boolean(clause.value) && clause.missing.length === 0 && clause.stopped === undefined, clause }
  })
  const shown = found.every(({ role, open }) => role !== 'show' || open)
  const enabled = found.every(({ role, open }) => role !== 'enable' || open)
  const lines = found.flatMap((one) => [`${one.node} ${one.role}: ${one.open ? 'open' : 'closed'}`, ...clauseLines(one.clause, 1)])
  const summary = `${node} is ${shown ? 'shown' : 'hidden'} and ${enabled ? 'enabled' : 'disabled'}`
  return { ok: true, text: [...lines, summary].join('\n'), json: { ok: true, shown, enabled, conditions: found } }
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

const whereUsed: Command = ({ documents }, [id = '']) => {
  if (id === '') return failed('where-used <id>')
  const uses = documents.flatMap(({ file, text, key, doc }) => {
    const pointers = [...placesOf(doc, id, '')].filter((pointer) => pointer !== '/id')
    const { lines } = pointers.length > 0 ? outline(text) : { lines: new Map<string, number>() }
    return pointers.map((pointer) => ({ document: key, file, line: lineOf(lines, pointer), pointer }))
  })
  const count = `"${id}" is used in ${new Set(uses.map(({ file }) => file)).size} documents, ${uses.length} places`
  return {
    ok: uses.length > 0,
    text: [...uses.map(({ file, line, pointer }) => `${file}:${line} ${pointer}`), count].join('\n'),
    json: { ok: uses.length > 0, uses },
  }
}

/** Places that hold the word, as a value, a member's name, a widget with its major, or the beginning of a path. */
function* placesOf(value: unknown, id: string, pointer: string): Generator<string> {
  if (typeof value === 'string') {
    if (value === id || value.startsWith(`${id}@`)) yield pointer
    return
  }
  if (typeof value !== 'object' || value === null) return
  for (const [name, part] of Object.entries(value)) {
    const at = below(pointer, name)
    if (!Array.isArray(value) && name === id) yield at
    yield* placesOf(part, id, at)
  }
}

const exportAll: Command = async ({ root, documents, texts, catalog, problems }, [dir]) => {
  if (dir === undefined) return failed('export <dir>')
  const errors = [...problems, ...lint(documents, texts, catalog)].filter(({ severity }) => severity === 'error')
  if (errors.length > 0)
    return { ok: false, text: [...errors.map(showProblem), 'nothing was written'].join('\n'), json: { ok: false, problems: errors } }
  const folder = resolve(root, dir)
  const entries = prepare(documents, catalog).map(({ key, canonical, computed }) => {
    const sha256 = createHash('sha256').update(canonical).digest('hex')
    return { key, canonical, entry: { sha256, ...computed } }
  })
  for (const { key, canonical } of entries) await write(join(folder, `${key}.json`), canonical)
  const release = Object.fromEntries(entries.map(({ key, entry }) => [key, entry]))
  await write(join(folder, 'release.json'), `${JSON.stringify(release, null, 2)}\n`)
  return { ok: true, text: `${entries.length} documents written to ${dir}`, json: { ok: true, release } }
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}

function hint(word: string, names: readonly string[]): string {
  const near = nearest(word, names)
  return near === undefined ? '' : `; nearest: ${near}`
}

const commands = new Map<string, Command>([
  ['lint', lintAll],
  ['why', why],
  ['where-used', whereUsed],
  ['export', exportAll],
])

/**
 * One run of the command line.
 * @param root folder of the project
 * @returns exit status: 0, or 1 when something is wrong or was not found
 */
export async function run(argv: readonly string[], root: string, print: (text: string) => void): Promise<0 | 1> {
  const words: string[] = []
  const options = new Map<string, string>()
  for (let i = 0; i < argv.length; i += 1) {
    const word = argv[i] as string
    if (word === '--json') options.set('json', '')
    else if (word.startsWith('--')) {
      i += 1
      options.set(word.slice(2), argv[i] ?? '')
    } else words.push(word)
  }
  const [name = '', ...args] = words
  const command = commands.get(name)
  if (!command) {
    print(name === '' ? usage : `there is no command "${name}"${hint(name, [...commands.keys()])}\n\n${usage}`)
    return 1
  }
  let answer: Answer
  try {
    answer = await command(await open(root), args, options)
  } catch (problem) {
    if (!(problem instanceof Error)) throw problem
    answer = failed(problem instanceof ExpressionProblem ? `${problem.message} (${problem.pointer})` : problem.message)
  }
  print(options.has('json') ? JSON.stringify(answer.json, null, 2) : answer.text)
  return answer.ok ? 0 : 1
}

const invoked = process.argv[1]
if (invoked !== undefined && (await realpath(invoked)) === fileURLToPath(import.meta.url)) {
  process.exitCode = await run(process.argv.slice(2), join(import.meta.dirname, '..'), (text) => void process.stdout.write(`${text}\n`))
}
