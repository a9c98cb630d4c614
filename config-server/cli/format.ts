import { resolve } from 'node:path'
import type { Command } from '#config-server/cli/command.ts'
import { put } from '#config-server/cli/export.ts'
import { filesOf } from '#config-server/cli/project.ts'
import { formatted } from '#language/text/expression-texts.ts'

export const formatCommand: Command = {
  name: 'format',
  takes: '[folder] [--write]',
  does: 'prints documents in their one form: expressions as text, what fits on a line on one line',
  more: 'Without --write it only names the files that would change, and ends with 1 when there are any.',
  async run(call) {
    const files = await filesOf(call.words[0] ?? call.root, call)
    const changed = Object.entries(files).flatMap(([path, text]) => {
      const printed = path.startsWith('schemas/') ? formatted(text) : text
      return printed === text ? [] : [{ path, printed }]
    })
    const isWritten = call.options.has('write')
    if (isWritten) for (const { path, printed } of changed) await put(resolve(call.root, call.words[0] ?? '.'), path, printed)
    const paths = changed.map(({ path }) => path)
    const end = isWritten ? `${paths.length} files written` : `${paths.length} files would change`
    return {
      ok: isWritten || paths.length === 0,
      text: [...paths, end].join('\n'),
      json: { ok: isWritten || paths.length === 0, changed: paths },
    }
  },
}
