import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { type Command, failed } from '#config-server/cli/command.ts'

export const newSetCommand: Command = {
  name: 'new-set',
  takes: '<area>',
  does: 'writes pages of an area whose server does not exist yet: planned calls, screens, a form, texts, a flow',
  more: [
    'The name has small letters, digits and hyphens: npm run cfg -- new-set ieo',
    'Routes of the pages are off until a server answers their calls. Flows, tests and previews open them all the same, with answers made from the',
    'planned calls. docs/guides/plan-a-set.md',
  ].join('\n'),
  run({ root, words, tell }) {
    const [name = '', ...more] = words
    if (more.length > 0) return failed('new-set takes one name')
    const args = ['--import', 'tsx', join(root, 'scripts/new/new.ts'), 'set', name]
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
    if (status !== 0) return failed((stderr || stdout).trim())
    if (stderr) tell(stderr.trim())
    const written = [...stdout.matchAll(/^(?:written|changed): (.+)$/gm)].map(([, file]) => file)
    return { ok: true, text: stdout.trim(), json: { ok: true, files: written } }
  },
}
