import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Command, failed, hint } from '#config-server/cli/command.ts'
import { appHelp, serveApp } from '#config-server/cli/place.ts'
import { openProject, setHelp } from '#config-server/cli/project.ts'
import { type FlowResult, runFlows } from '#flows/runner.ts'
import { readEnv } from '#server-kit/ops/env.ts'

export const flowCommand: Command = {
  name: 'flow',
  takes: '[name] [--set SET]',
  does: 'runs flows in a browser: all, or one',
  more: [
    setHelp.replace('A set', '--set names a set. It'),
    appHelp,
    'Calls are answered with samples and with what the flow lays down. --api lets them reach the API of --app, a test instance (TEST_HOOKS=1).',
    '--pictures FOLDER keeps a picture of the page where a step failed.',
  ].join('\n'),
  async run(call) {
    const { words, options, root, tell } = call
    const project = await openProject(call, options.get('set'))
    const names = project.documents.flatMap(({ doc }) => (doc.kind === 'flow' ? [doc.id] : []))
    const strange = words.find((word) => !names.includes(word))
    if (strange !== undefined) return failed(`there is no flow "${strange}"${hint(strange, names)}`)
    if (names.length === 0) return { ok: true, text: 'there are no flows', json: { ok: true, results: [] } }
    const pictures = options.get('pictures')
    const app = await serveApp(call)
    try {
      const results = await runFlows({
        set: project,
        origin: app.origin,
        dry: !options.has('api'),
        chromium: readEnv().CHROMIUM_PATH,
        ...(words.length > 0 && { names: words }),
        onProgress: (done, total, result) => tell(`${done}/${total} ${result.flow} ${result.ok ? 'ok' : 'FAILED'} ${result.ms} ms`),
      })
      const kept = pictures === undefined ? [] : await keep(resolve(root, pictures), results)
      const bad = results.filter(({ ok }) => !ok)
      const lines = bad.flatMap(({ flow, step, message }) => [`${flow}: step ${step}`, `    ${message}`])
      const count = `${results.length - bad.length} of ${results.length} flows passed`
      const plain = results.map(({ picture: _, ...rest }) => rest)
      return { ok: bad.length === 0, text: [...lines, ...kept, count].join('\n'), json: { ok: bad.length === 0, results: plain } }
    } finally {
      app.close()
    }
  },
}

async function keep(folder: string, results: readonly FlowResult[]): Promise<string[]> {
  const kept: string[] = []
  for (const { flow, picture } of results) {
    if (!picture) continue
    const file = join(folder, `${flow}.png`)
    await mkdir(folder, { recursive: true })
    await writeFile(file, picture)
    kept.push(`picture: ${file}`)
  }
  return kept
}
