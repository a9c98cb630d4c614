import type { Command } from '#config-server/cli/command.ts'
import { openProject, setHelp } from '#config-server/cli/project.ts'
import { planned } from '#language/lint/meaning/planned.ts'
import { lint } from '#language/lint/run.ts'

export const plannedCommand: Command = {
  name: 'planned',
  takes: '[set]',
  does: 'lists the calls that no server answers yet, with the documents that use them',
  more: `${setHelp}\nIt exits with 1 where customers can open a page that lives on one: its routes must be off until a server answers.`,
  async run(call) {
    const { documents, texts, catalog } = await openProject(call, call.words[0])
    const places = lint(documents, texts, catalog, [planned])
    const calls = catalog.calls
      .filter((one) => one.planned)
      .map(({ name, summary }) => ({ name, summary, places: places.filter(({ message }) => message.includes(`"${name}"`)) }))
    const lines = calls.flatMap(({ name, summary, places }) => [
      `${name}: ${summary}`,
      ...(places.length > 0
        ? places.map(
            ({ file, line, pointer, severity }) => `    ${file}:${line} ${pointer}${severity === 'error' ? ' open to customers' : ''}`,
          )
        : ['    no document uses it']),
    ])
    const isOpen = places.some(({ severity }) => severity === 'error')
    return { ok: !isOpen, text: [...lines, `${calls.length} planned calls`].join('\n'), json: { ok: !isOpen, calls } }
  },
}
