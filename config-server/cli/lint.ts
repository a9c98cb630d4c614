import { type Command, showProblem } from '#config-server/cli/command.ts'
import { openProject, problemsOf, setHelp } from '#config-server/cli/project.ts'
import type { LintProblem } from '#language/types/catalog.ts'

export const lintCommand: Command = {
  name: 'lint',
  takes: '[set] [--planned]',
  does: 'checks every document and text',
  more: `${setHelp}\n"console" is the set of the back office.\nErrors stop a release, warnings do not.\n--planned lists each warning of a planned call, which are otherwise one line.`,
  async run(call) {
    const project = await openProject(call, call.words[0])
    const problems = problemsOf(project)
    const errors = problems.filter(({ severity }) => severity === 'error').length
    const count = `${project.documents.length} documents, ${errors} errors, ${problems.length - errors} warnings`
    const isFolded = ({ check, severity }: LintProblem) => check === 'planned' && severity === 'warn' && !call.options.has('planned')
    const shown = problems.filter((problem) => !isFolded(problem)).map(showProblem)
    const folded = problems.length - shown.length
    const line = folded === 0 ? [] : [foldedLine(folded)]
    return { ok: errors === 0, text: [...shown, ...line, count].join('\n'), json: { ok: errors === 0, problems } }
  },
}

const foldedLine = (count: number) =>
  count === 1
    ? 'planned: 1 place names a call that no server answers yet; --planned lists it'
    : `planned: ${count} places name calls that no server answers yet; --planned lists them`
