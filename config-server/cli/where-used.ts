import { type Command, failed } from '#config-server/cli/command.ts'
import { openProject, setHelp } from '#config-server/cli/project.ts'
import { whereUsed } from '#language/where-used.ts'

export const whereUsedCommand: Command = {
  name: 'where-used',
  takes: '<id> [set]',
  does: 'finds a document, widget, call, route, icon, text key, or a field, source or state (form.amount, data.info)',
  more: setHelp,
  async run(call) {
    const [id = '', set] = call.words
    if (id === '') return failed('where-used <id>')
    const { documents, catalog } = await openProject(call, set)
    const uses = whereUsed(documents, id, catalog)
    const count = `"${id}" is used in ${new Set(uses.map(({ file }) => file)).size} documents, ${uses.length} places`
    return {
      ok: uses.length > 0,
      text: [...uses.map(({ file, line, pointer }) => `${file}:${line} ${pointer}`), count].join('\n'),
      json: { ok: uses.length > 0, uses },
    }
  },
}
