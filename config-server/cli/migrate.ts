import { resolve } from 'node:path'
import { type Command, failed, type Project } from '#config-server/cli/command.ts'
import { put } from '#config-server/cli/export.ts'
import { openProject } from '#config-server/cli/project.ts'
import { editText } from '#language/edit.ts'
import { formatted } from '#language/expression-texts.ts'
import { factsOf } from '#language/walk.ts'

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
interface Passport {
  type: string
  major: number
  migrate?: (props: Record<string, unknown>) => Record<string, unknown>
}

export const migrateCommand: Command = {
  name: 'migrate',
  takes: '[folder] [--write]',
  does: 'brings documents to the newest widgets and language',
  more: 'Expressions become text, and each widget says how props of its last major version are written now. Without --write it only tells what it would change.',
  async run(call) {
    const project = await openProject(call, call.words[0])
    const old = oldNodes(project)
    const files: Record<string, string> = {}
    for (const { file, text } of project.documents) if (formatted(text) !== text) files[file] = formatted(text)
    if (old.length === 0 && Object.keys(files).length === 0)
      return {
        ok: true,
        text: 'nothing to migrate: every document is written for the newest widgets and language',
        json: { ok: true, changed: [] },
      }
    const passports = old.length > 0 ? await readPassports(call.root) : []
    for (const one of old) {
      const passport = passports.find(({ type }) => type === one.type)
      if (!passport?.migrate || one.from !== one.to - 1)
        return failed(`${one.file} ${one.pointer}: nothing leads from ${one.type}@${one.from} to ${one.type}@${one.to}`)
      const text = editText(files[one.file] ?? (project.files[one.file] as string), `${one.pointer}/props`, passport.migrate(one.props))
      files[one.file] = editText(text, `${one.pointer}/widget`, `${one.type}@${one.to}`)
    }
    if (call.options.has('write'))
      for (const [path, text] of Object.entries(files)) await put(resolve(call.root, call.words[0] ?? '.'), path, text)
    const lines = [
      ...old.map(({ file, node, type, from, to }) => `${file} ${node}: ${type}@${from} → ${type}@${to}`),
      ...Object.keys(files)
        .filter((path) => !old.some(({ file }) => file === path))
        .map((path) => `${path}: expressions as text, in the printed form`),
    ]
    const end = call.options.has('write') ? `${Object.keys(files).length} files written` : 'nothing was written; --write does'
    return {
      ok: true,
      text: [...lines, end].join('\n'),
      json: { ok: true, changed: old.map(({ props: _, ...rest }) => rest), files: Object.keys(files) },
    }
  },
}

function oldNodes({ documents, catalog }: Project): Old[] {
  const majors = new Map(catalog.widgets.map(({ type, major }) => [type, major]))
  return documents.flatMap(({ file, doc }) =>
    factsOf(doc).nodes.flatMap(({ node, pointer }) => {
      const [type = '', written] = node.widget.split('@')
      const to = majors.get(type)
      const from = Number(written)
      return written === undefined || to === undefined || from >= to
        ? []
        : [{ file, pointer, node: node.id, type, from, to, props: node.props ?? {} }]
    }),
  )
}

/** Passports are code that imports styles, so vite loads them as it loads them for the app. */
async function readPassports(root: string): Promise<readonly Passport[]> {
  const { createServer } = await import('vite')
  const server = await createServer({
    root,
    configFile: false,
    appType: 'custom',
    logLevel: 'error',
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  })
  try {
    return (await server.ssrLoadModule('/widgets/registry.ts')).widgets as readonly Passport[]
  } finally {
    await server.close()
  }
}
