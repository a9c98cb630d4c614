import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { type Answer, type Command, failed, type Project, showProblem } from '#config-server/cli/command.ts'
import { openProject, problemsOf, setHelp } from '#config-server/cli/project.ts'
import { prepare } from '#language/documents/prepare.ts'

/** Writes a file below a folder, and the folders that lead to it. */
export async function put(folder: string, path: string, content: string | Buffer): Promise<void> {
  const file = join(folder, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, content)
}

export const exportCommand: Command = {
  name: 'export',
  takes: '<folder> [set] [--prepared]',
  does: "writes a set's sources, byte for byte",
  more: `${setHelp}\n--prepared writes what clients are given instead: canonical documents with their hashes in release.json; a set with errors is not prepared.`,
  async run(call) {
    const [dir, set] = call.words
    if (dir === undefined) return failed('export <folder> [set]')
    const project = await openProject(call, set)
    const folder = resolve(call.root, dir)
    if (call.options.has('prepared')) return prepared(project, folder, dir)
    const paths = Object.keys(project.files).sort()
    for (const path of paths) await put(folder, path, project.files[path] as string)
    return { ok: true, text: `${paths.length} files written to ${dir}`, json: { ok: true, paths } }
  },
}

async function prepared(project: Project, folder: string, dir: string): Promise<Answer> {
  const errors = problemsOf(project).filter(({ severity }) => severity === 'error')
  if (errors.length > 0)
    return { ok: false, text: [...errors.map(showProblem), 'nothing was written'].join('\n'), json: { ok: false, problems: errors } }
  const entries = prepare(project.documents, project.catalog).map(({ key, canonical, computed }) => {
    const sha256 = createHash('sha256').update(canonical).digest('hex')
    return { key, canonical, entry: { sha256, ...computed } }
  })
  for (const { key, canonical } of entries) await put(folder, `${key}.json`, canonical)
  const release = Object.fromEntries(entries.map(({ key, entry }) => [key, entry]))
  await put(folder, 'release.json', `${JSON.stringify(release, null, 2)}\n`)
  return { ok: true, text: `${entries.length} documents written to ${dir}`, json: { ok: true, release } }
}
