import { type Command, showProblem } from '#config-server/cli/command.ts'
import { openProject, problemsOf, setHelp } from '#config-server/cli/project.ts'

export const lintCommand: Command = {
  name: 'lint',
  takes: '[set]',
  does: 'checks every document and text',
  more: `${setHelp}\n"console" is the set of the back office.\nErrors stop a release, warnings do not.`,
  async run(call) {
    const project = await openProject(call, call.words[0])
    const problems = problemsOf(project)
    const errors = problems.filter(({ severity }) => severity === 'error').length
    const count = `${project.documents.length} documents, ${errors} errors, ${problems.length - errors} warnings`
    return { ok: errors === 0, text: [...problems.map(showProblem), count].join('\n'), json: { ok: errors === 0, problems } }
  },
}
