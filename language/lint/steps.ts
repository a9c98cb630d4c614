import { limits } from '#language/documents/limits.ts'
import { nearest } from '#language/documents/nearest.ts'
import type { StepPlace } from '#language/documents/walk.ts'
import { setPath } from '#language/expression/set-path.ts'
import { mismatch } from '#language/lint/judge.ts'
import { recordsSet } from '#language/lint/lists.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'
import { below } from '#language/text/position.ts'
import type { LintProblem } from '#language/types/catalog.ts'
import { typeOfPath, typeOfValue, withoutNull } from '#language/types/paths.ts'
import { promptParams } from '#language/types/prompt-params.ts'

/** What steps name exists: sources, sheets, prompts, and the places that `set` writes. */
export const steps: Check = function* (world) {
  for (const entry of world.entries) {
    const screen = entry.doc.kind === 'form' ? onlyScreen(entry) : entry.doc.kind === 'screen' ? entry.doc : undefined
    const data = screen ? (screen.data ?? {}) : undefined
    if (data && entry.doc === screen && Object.keys(data).length > limits.dataSourcesPerScreenMax) {
      yield world.report('steps', entry, '/data', `a screen has at most ${limits.dataSourcesPerScreenMax} sources`)
    }
    for (const place of entry.own.steps) {
      if (place.depth === limits.actionDepthMax + 1)
        yield world.report('steps', entry, place.pointer, `steps stand at most ${limits.actionDepthMax} deep in each other`)
      yield* named(world, entry, place, data)
      if ('set' in place.step) {
        yield* written(world, entry, place, place.step.set)
        yield* recordsSet(world, entry, place)
      }
    }
  }
}

const onlyScreen = ({ shownBy }: Entry) => (shownBy.length === 1 ? shownBy[0]?.doc : undefined)

function* named(
  world: World,
  entry: Entry,
  { step, pointer }: StepPlace,
  data: Record<string, { pages?: boolean }> | undefined,
): Generator<LintProblem> {
  if (data && 'refresh' in step) {
    for (const [i, name] of step.refresh.entries()) {
      if (!Object.hasOwn(data, name))
        yield world.report('steps', entry, `${pointer}/refresh/${i}`, `there is no source "${name}"`, {
          suggestion: nearest(name, Object.keys(data)),
        })
    }
  }
  if (data && 'more' in step) {
    const paged = Object.keys(data).filter((name) => data[name]?.pages)
    if (!paged.includes(step.more))
      yield world.report('steps', entry, `${pointer}/more`, `there is no source "${step.more}" with pages`, {
        suggestion: nearest(step.more, paged) ?? paged[0],
      })
  }
  if ('open' in step && entry.doc.kind === 'screen') {
    const nodes = entry.facts.nodes.map(({ node }) => node.id)
    if (!nodes.includes(step.open))
      yield world.report('steps', entry, `${pointer}/open`, `the screen has no node "${step.open}"`, {
        suggestion: nearest(step.open, nodes),
      })
  }
  if ('confirm' in step) yield* prompted(world, entry, step.confirm, step.with ?? {}, pointer)
  if ('save' in step && typeof step.save.name === 'string' && !isFileName(step.save.name))
    yield world.report('steps', entry, `${pointer}/save/name`, `"${step.save.name}" is no name of a file, such as transactions.csv`)
  if ('link' in step && typeof step.link === 'string') yield* linked(world, entry, step.link, pointer)
}

/** With an ending, without what some system refuses, and no longer than the app saves. */
const isFileName = (name: string) =>
  name.length <= limits.savedNameMax && /^[^\\/:*?"<>|\p{C}.\s][^\\/:*?"<>|\p{C}]*\.[A-Za-z0-9]{1,8}$/u.test(name)

function* prompted(world: World, entry: Entry, id: string, given: Record<string, unknown>, pointer: string): Generator<LintProblem> {
  const prompt = world.find('prompt', id)
  if (!prompt) {
    yield world.report('steps', entry, `${pointer}/confirm`, `there is no prompt "${id}"`, { suggestion: nearest(id, world.ids('prompt')) })
    return
  }
  const read = new Set(promptParams(prompt.doc))
  for (const name of read)
    if (!Object.hasOwn(given, name))
      yield world.report('steps', entry, pointer, `the prompt "${id}" reads "params.${name}", which is not given`)
  for (const name of Object.keys(given)) {
    if (!read.has(name))
      yield world.report('steps', entry, below(`${pointer}/with`, name), `the prompt "${id}" does not read "${name}"`, {
        suggestion: nearest(name, read),
        severity: 'warn',
      })
  }
}

function* linked(world: World, entry: Entry, url: string, pointer: string): Generator<LintProblem> {
  const hosts = world.app?.links ?? []
  const host = URL.canParse(url) && url.startsWith('https://') ? new URL(url).hostname : undefined
  if (host === undefined) yield world.report('steps', entry, `${pointer}/link`, 'a link is an https address')
  else if (!hosts.some((one) => host === one || host.endsWith(`.${one}`))) {
    yield world.report('steps', entry, `${pointer}/link`, `"${host}" is not among the hosts of app.links`, {
      suggestion: nearest(host, hosts),
    })
  }
}

function* written(world: World, entry: Entry, place: StepPlace, set: Readonly<Record<string, unknown>>): Generator<LintProblem> {
  const types = world.typesAt(entry, place)
  for (const [path, value] of Object.entries(set)) {
    if (!Object.hasOwn(types, path.split('.', 1)[0] as string)) continue
    const at = below(`${place.pointer}/set`, path)
    const { type: wanted, problems } = typeOfPath(path, types)
    for (const { message, suggestion } of problems) yield world.report('steps', entry, at, `nothing to set: ${message}`, { suggestion })
    const given = withoutNull(typeOfValue(value, types).type)
    // Of a record members may be left out; `recordsSet` judges those that are given.
    const why = problems.length === 0 && setPath(path).by === undefined ? mismatch(given, wanted) : undefined
    const word = typeof given.const === 'string' && wanted.enum ? nearest(given.const, wanted.enum.map(String)) : undefined
    if (why !== undefined) yield world.report('steps', entry, at, `"${path}": ${why}`, { suggestion: word })
  }
}
