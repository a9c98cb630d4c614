import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { BrokenSources } from '#config-server/broken-sources.ts'
import type { CreatedPublishing } from '#config-server/publishing/drafts/create.ts'
import { type BuildFiles, openBuildFiles } from '#config-server/serving/build-files.ts'
import type { LintProblem, SourceFile } from '#language/types/catalog.ts'
import { createLog } from '#server-kit/ops/log.ts'

let root = ''
let files: BuildFiles | undefined
const file = 'schemas/screens/home.json'
const save = (text: string, name = file) => writeFile(join(root, name), text)
const textOf = (set: readonly SourceFile[] | undefined) => set?.find((one) => one.file === file)?.text

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'build-files-'))
  await mkdir(join(root, 'schemas/screens'), { recursive: true })
  await mkdir(join(root, 'locales/en'), { recursive: true })
  await save('{}', 'locales/en/home.json')
  await save('first')
})
afterEach(async () => {
  files?.close()
  await rm(root, { recursive: true, force: true })
})

/** @param take the outcome of a set; it gets the number of the set */
async function watching(take: (set: readonly SourceFile[], turn: number) => Promise<void>) {
  const [taken, reported]: [SourceFile[][], (readonly LintProblem[])[]] = [[], []]
  const created = {
    stable: () => undefined,
    importSources: async (set: SourceFile[]) => {
      taken.push(set)
      await take(set, taken.length)
      return { is: 'known' }
    },
  } as unknown as CreatedPublishing
  const onProblems = (problems: readonly LintProblem[]) => void reported.push(problems)
  files = await openBuildFiles({ root, created, log: createLog('silent'), watch: true, say: () => undefined, onProblems })
  return { taken, reported }
}
const problem = (of: string): LintProblem => ({ check: 'json', severity: 'error', file: of, line: 1, pointer: '', message: 'wrong' })

test('what is saved while the first set is taken in is taken in as well', async () => {
  const { taken } = await watching(async (_set, turn) => {
    if (turn === 1) await save('second')
  })
  await vi.waitFor(() => expect(textOf(taken.at(-1))).toBe('second'), 5_000)
})

test('problems of what was just saved are told first, and the repair tells that there are none', async () => {
  const { reported } = await watching(async (set) => {
    if (textOf(set) === 'broken') throw new BrokenSources([problem('schemas/app.json'), problem(file)])
  })
  expect(reported).toEqual([[]])
  await save('broken')
  await vi.waitFor(() => expect(reported.at(-1)?.map((one) => one.file)).toEqual([file, 'schemas/app.json']), 5_000)
  await save('first')
  await vi.waitFor(() => expect(reported.at(-1)).toEqual([]), 5_000)
})
