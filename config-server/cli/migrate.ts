import { resolve } from 'node:path'
import { type Command, failed, type Project } from '#config-server/cli/command.ts'
import { put } from '#config-server/cli/export.ts'
import { openProject } from '#config-server/cli/project.ts'
import { migrations } from '#config-server/serving/modern.ts'
import { factsOf } from '#language/documents/walk.ts'
import { editText } from '#language/edit/edit.ts'
import { migrateProps, NoWay } from '#language/publish/migrate.ts'
import { formatted, migrated } from '#language/text/expression-texts.ts'

/** A node that is written for an earlier major version of its widget. */
interface Old {
  file: string
  pointer: string
  node: string
  type: string
  from: number
  to: number
  props: Record<string, unknown>
}
export const migrateCommand: Command = {
  name: 'migrate',
  takes: '[folder] [--from text@1,…] [--write]',
  does: 'brings documents to the newest widgets and language',
  more: 'Expressions become text, and widgets/migrations.ts says how props of earlier major versions are written now. A node that names no major version is taken for one of today; --from says for which it was written, in files of an old release. Without --write it only tells what it would change.',
  async run(call) {
    const project = await openProject(call, call.words[0])
    const old = oldNodes(project, call.options.get('from') ?? '')
    const files: Record<string, string> = {}
    try {
      for (const [file, text] of Object.entries(project.files)) if (file.startsWith('schemas/')) files[file] = migrated(text)
      for (const { file, pointer, type, from, to, props } of old) {
        const made = migrateProps(type, from, to, props, migrations)
        files[file] = editText(editText(files[file] as string, `${pointer}/props`, made), `${pointer}/widget`, `${type}@${to}`)
      }
    } catch (error) {
      if (error instanceof NoWay) return failed(error.message)
      throw error
    }
    for (const { file } of project.documents) files[file] = formatted(files[file] as string)
    for (const [file, text] of Object.entries(files)) if (text === project.files[file]) delete files[file]
    if (Object.keys(files).length === 0)
      return {
        ok: true,
        text: 'nothing to migrate: every document is written for the newest widgets and language',
        json: { ok: true, changed: [] },
      }
    if (call.options.has('write'))
      for (const [path, text] of Object.entries(files)) await put(resolve(call.root, call.words[0] ?? '.'), path, text)
    const lines = [
      ...old.map(({ file, node, type, from, to }) => `${file} ${node}: ${type}@${from} → ${type}@${to}`),
      ...Object.keys(files)
        .filter((path) => !old.some(({ file }) => file === path))
        .map((path) => `${path}: the newest format, expressions as text, in the printed form`),
    ]
    const end = call.options.has('write') ? `${Object.keys(files).length} files written` : 'nothing was written; --write does'
    return {
      ok: true,
      text: [...lines, end].join('\n'),
      json: { ok: true, changed: old.map(({ props: _, ...rest }) => rest), files: Object.keys(files) },
    }
  },
}

/** @param unsaid majors of nodes that name none: `text@1,row@2` */
function oldNodes({ documents, catalog }: Project, unsaid: string): Old[] {
  const assumed = new Map(unsaid.split(',').map((ref) => ref.trim().split('@') as [string, string]))
  const majors = new Map(catalog.widgets.map(({ type, major }) => [type, major]))
  return documents.flatMap(({ file, doc }) =>
    factsOf(doc).nodes.flatMap(({ node, pointer }) => {
      const [type = '', said] = node.widget.split('@')
      const written = said ?? assumed.get(type)
      const to = majors.get(type)
      const from = Number(written)
      return written === undefined || to === undefined || from >= to
        ? []
        : [{ file, pointer, node: node.id, type, from, to, props: node.props ?? {} }]
    }),
  )
}
