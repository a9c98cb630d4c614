import { type Command, failed, hint, type Project, showProblem } from '#config-server/cli/command.ts'
import { appHelp, serveApp } from '#config-server/cli/place.ts'
import { openProject, problemsOf, setHelp } from '#config-server/cli/project.ts'
import { type StateReport, testStates } from '#flows/states.ts'
import { withoutMarks } from '#language/edit/words.ts'
import { readEnv } from '#server-kit/ops/env.ts'

export const testCommand: Command = {
  name: 'test',
  takes: '[screen …] [--set SET] [--languages all]',
  does: 'looks at screens in every state of their data',
  more: [
    'Every screen, or those that are named, while loading, empty, failed, filled and aged, for a visitor and a customer: nothing may break, no key',
    'may stand in place of words, nothing may be wider than a phone, and axe finds nothing serious. Conditions that were not seen both ways are',
    'told; they do not fail the test.',
    '--languages en,fr or all; the default language when left out.',
    '--flows runs the flows of the screens, too, and counts the ways that they take.',
    setHelp.replace('A set', '--set names a set. It'),
    appHelp,
  ].join('\n'),
  async run(call) {
    const { words, options, tell } = call
    const project = await openProject(call, options.get('set'))
    // Pages are looked at before their texts are translated and before a server answers their calls.
    const found = problemsOf({ ...project, texts: withoutMarks(project.texts) })
    const errors = found.filter(({ check, severity }) => severity === 'error' && check !== 'planned')
    if (errors.length > 0)
      return { ok: false, text: [...errors.map(showProblem), 'nothing was tested'].join('\n'), json: { ok: false, problems: errors } }
    const screens = project.documents.flatMap(({ doc }) => (doc.kind === 'screen' ? [doc.id] : []))
    const strange = words.find((word) => !screens.includes(word))
    if (strange !== undefined) return failed(`there is no screen "${strange}"${hint(strange, screens)}`)
    const app = await serveApp(call)
    try {
      const report = await testStates({
        set: project,
        origin: app.origin,
        chromium: readEnv().CHROMIUM_PATH,
        ...(words.length > 0 && { screens: words }),
        flows: options.has('flows'),
        ...languages(project, options.get('languages')),
        onProgress: (done, total, { screen, state, person, language }) =>
          done % 10 === 0 && tell(`${done}/${total} ${screen}, ${state}, ${person}, ${language}`),
      })
      return { ok: report.findings.length === 0, text: textOf(report), json: { ok: report.findings.length === 0, ...report } }
    } finally {
      app.close()
    }
  },
}

function languages({ documents }: Project, wanted: string | undefined): { languages?: string[] } {
  if (wanted === undefined) return {}
  if (wanted !== 'all') return { languages: wanted.split(',') }
  return { languages: documents.flatMap(({ doc }) => (doc.kind === 'app' ? doc.languages.map(({ id }) => id) : [])) }
}

function textOf({ findings, unseen, ways, looked, ms }: StateReport): string {
  const lines = findings.map(({ screen, state, person, language, what }) => `${screen}, ${state}, ${person}, ${language}\n    ${what}`)
  const never = unseen.map(
    ({ document, role, of, text, never }) => `${document} ${of}: ${role} ${text} was never ${never === 'both' ? 'true or false' : never}`,
  )
  const count = `${looked} pictures in ${Math.round(ms / 1_000)} s, ${findings.length} findings; ${ways.seen} of ${ways.of} ways of conditions were seen`
  return [...lines, ...(never.length > 0 ? ['not seen both ways:', ...never.map((line) => `    ${line}`)] : []), count].join('\n')
}
