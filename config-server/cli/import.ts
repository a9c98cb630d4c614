import { rm } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { type Command, failed, showProblem } from '#config-server/cli/command.ts'
import { put } from '#config-server/cli/export.ts'
import { filesOf, openProject, problemsOf, setHelp } from '#config-server/cli/project.ts'
import { remote } from '#config-server/cli/remote.ts'

export const importCommand: Command = {
  name: 'import',
  takes: '<folder> --server URL [--name NAME] [--note TEXT]',
  does: 'makes a draft of a folder, or takes a set into this project',
  more: [
    'With --server the whole folder becomes a draft there: what it lacks is taken out, what differs is changed.',
    'Without --server, or with a set that a server keeps (import live --server URL --to .), the files are written below --to, this project unless',
    'it is named; a set with errors is not. --prune takes out what the set does not have.',
    setHelp,
  ].join('\n'),
  async run(call) {
    const [set] = call.words
    if (set === undefined) return failed('import <folder>')
    const [server, to] = [call.options.get('server'), call.options.get('to')]
    if (server === undefined || to !== undefined) return takeIn(call, set, to ?? '.')
    const files = await filesOf(set, call)
    if (Object.keys(files).length === 0) return failed(`${set} has no schemas/ and no locales/`)
    const name = call.options.get('name') ?? `Import of ${basename(resolve(call.root, set))}`
    const draft = await remote(server).call('drafts.import', { name, note: call.options.get('note') ?? '', files })
    const text = `draft ${draft.id} "${draft.name}" on release ${draft.base}: ${draft.paths.length} files differ`
    return { ok: true, text: [text, ...draft.paths.map((path) => `  ${path}`)].join('\n'), json: { ok: true, draft } }
  },
}

async function takeIn(call: Parameters<Command['run']>[0], set: string, to: string) {
  const project = await openProject(call, set)
  const errors = problemsOf(project).filter(({ severity }) => severity === 'error')
  if (errors.length > 0)
    return { ok: false, text: [...errors.map(showProblem), 'nothing was written'].join('\n'), json: { ok: false, problems: errors } }
  const folder = resolve(call.root, to)
  const before: Record<string, string> = await filesOf(folder, call).catch(() => ({}))
  const changed = Object.keys(project.files).filter((path) => project.files[path] !== before[path])
  for (const path of changed) await put(folder, path, project.files[path] as string)
  const gone = call.options.has('prune') ? Object.keys(before).filter((path) => !Object.hasOwn(project.files, path)) : []
  for (const path of gone) await rm(join(folder, path))
  const lines = [...changed.map((path) => `written  ${path}`), ...gone.map((path) => `removed  ${path}`)]
  return { ok: true, text: [...lines, `${lines.length} files changed in ${to}`].join('\n'), json: { ok: true, changed, gone } }
}
