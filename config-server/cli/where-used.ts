import { type Command, failed, hint } from '#config-server/cli/command.ts'
import { openProject, setHelp } from '#config-server/cli/project.ts'
import { partName } from '#language/edit/part-name.ts'
import { isNamed, whereUsed, within } from '#language/edit/where-used.ts'

export const whereUsedCommand: Command = {
  name: 'where-used',
  takes: '[<document>#]<id> [set]',
  does: 'finds a document, widget, call, route, icon, text key, or a field, source or state (form.amount, data.info)',
  more: [
    'With a document before it, form/fund.withdraw#form.amount, only uses in that document are listed. Both may have the same id: a screen and its form.',
    'Each use is named by file, line, pointer and part: (field amount, rule 2). Rules are counted from 1.',
    setHelp,
  ].join('\n'),
  async run(call) {
    const [id = '', set] = call.words
    if (id === '') return failed('where-used [<document>#]<id>')
    const { documents, catalog } = await openProject(call, set)
    const { document } = within(id)
    if (document !== undefined && !documents.some((source) => isNamed(source, document))) {
      const names = documents.map(({ key, doc }) => (document.includes('/') ? key : doc.id))
      return failed(`there is no document "${document}"${hint(document, names)}`)
    }
    const byKey = new Map(documents.map(({ key, doc }) => [key, doc]))
    const uses = whereUsed(documents, id, catalog).map((use) => {
      const doc = byKey.get(use.document)
      return { ...use, part: doc ? partName(doc, use.pointer) : '' }
    })
    const count = `"${id}" is used in ${new Set(uses.map(({ file }) => file)).size} documents, ${uses.length} places`
    return {
      ok: uses.length > 0,
      text: [...uses.map(({ file, line, pointer, part }) => `${file}:${line} ${pointer}${part && ` (${part})`}`), count].join('\n'),
      json: { ok: uses.length > 0, uses },
    }
  },
}
