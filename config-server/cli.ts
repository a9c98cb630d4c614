import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Answer, type Command, failed, hint, readLine } from '#config-server/cli/command.ts'
import { diffCommand } from '#config-server/cli/diff.ts'
import { exportCommand } from '#config-server/cli/export.ts'
import { flowCommand } from '#config-server/cli/flow.ts'
import { formatCommand } from '#config-server/cli/format.ts'
import { importCommand } from '#config-server/cli/import.ts'
import { lintCommand } from '#config-server/cli/lint.ts'
import { login, loginUsage } from '#config-server/cli/login.ts'
import { migrateCommand } from '#config-server/cli/migrate.ts'
import { newSetCommand } from '#config-server/cli/new-set.ts'
import { plannedCommand } from '#config-server/cli/planned.ts'
import { publishCommand, rollbackCommand } from '#config-server/cli/release.ts'
import { testCommand } from '#config-server/cli/test.ts'
import { whereUsedCommand } from '#config-server/cli/where-used.ts'
import { whyCommand } from '#config-server/cli/why.ts'
import { wordsCommand } from '#config-server/cli/words.ts'
import { ExpressionProblem } from '#language/expression/scope.ts'

const loginCommand: Command = {
  name: 'login',
  takes: '--server URL [--logout]',
  does: 'logs an operator in, for the commands that ask a server',
  more: loginUsage.split('\n').slice(1).join('\n').trim(),
  run: ({ options }) => login(options),
}

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [
  lintCommand,
  wordsCommand,
  diffCommand,
  whyCommand,
  testCommand,
  flowCommand,
  whereUsedCommand,
  formatCommand,
  newSetCommand,
  plannedCommand,
  migrateCommand,
  exportCommand,
  importCommand,
  publishCommand,
  rollbackCommand,
  loginCommand,
]

const lineOf = ({ name, takes, does }: Command) => `  ${`${name} ${takes}`.padEnd(58)} ${does}`

const usage = `npm run cfg -- <command> [--json]

${commands.map(lineOf).join('\n')}
  ${'help <command>'.padEnd(58)} says more of one

Exit status 0, or 1 when something is wrong or was not found.
`

const helpOf = ({ name, takes, does, more }: Command) => `npm run cfg -- ${name} ${takes}\n\n${does}${more ? `\n\n${more}` : ''}\n`

/**
 * One run of the command line.
 * @param root folder of the project
 * @param tell receives the progress, while it works
 * @returns exit status: 0, or 1 when something is wrong or was not found
 */
export async function run(
  argv: readonly string[],
  root: string,
  print: (text: string) => void,
  tell: (text: string) => void = () => undefined,
): Promise<0 | 1> {
  const { words, options } = readLine(argv)
  const asksHelp = words[0] === 'help' || options.has('help')
  const [name = '', ...rest] = words[0] === 'help' ? words.slice(1) : words
  const command = commands.find((one) => one.name === name)
  if (!command) {
    const names = commands.map((one) => one.name)
    print(name === '' ? usage : `there is no command "${name}"${hint(name, names)}\n\n${usage}`)
    return asksHelp && name === '' ? 0 : 1
  }
  if (asksHelp) {
    print(helpOf(command))
    return 0
  }
  let answer: Answer
  try {
    answer = await command.run({ root, words: rest, options, tell })
  } catch (problem) {
    if (!(problem instanceof Error)) throw problem
    answer = failed(problem instanceof ExpressionProblem ? `${problem.message} (${problem.pointer})` : problem.message)
  }
  print(options.has('json') ? JSON.stringify(answer.json, null, 2) : answer.text)
  return answer.ok ? 0 : 1
}

const invoked = process.argv[1]
if (invoked !== undefined && (await realpath(invoked)) === fileURLToPath(import.meta.url)) {
  process.exitCode = await run(
    process.argv.slice(2),
    join(import.meta.dirname, '..'),
    (text) => void process.stdout.write(`${text}\n`),
    (text) => void process.stderr.write(`${text}\n`),
  )
}
