import { join } from 'node:path'
import { BrokenSources } from '#config-server/broken-sources.ts'
import { showProblem } from '#config-server/check.ts'
import { readFiles } from '#config-server/files.ts'
import type { CreatedPublishing } from '#config-server/publishing/drafts/create.ts'
import { watchFolders } from '#config-server/serving/watch.ts'
import type { LintProblem, SourceFile } from '#language/types/catalog.ts'
import type { Log } from '#server-kit/ops/log.ts'

/** The documents and words that came with the build, on their way into the store. */
export interface BuildFiles {
  /** Takes files in as if they had been saved while somebody watches. Without words those that are live stay. @throws BrokenSources */
  publish(files: readonly SourceFile[]): Promise<void>
  close(): void
}

export interface BuildFilesOptions {
  root: string
  created: CreatedPublishing
  log: Log
  /** Takes them in again whenever one is saved; broken ones are reported and the live release stays. */
  watch: boolean
  say: (lines: string) => void
  /** Hears after each look at the files what keeps them from being shown, with the first cause first; nothing when they are whole. */
  onProblems?: ((problems: readonly LintProblem[]) => void) | undefined
}

/** Problems of the files that were changed since the set was whole stand first: the others follow from them. */
function firstCausesFirst(problems: readonly LintProblem[], changed: (file: string) => boolean): LintProblem[] {
  return [...problems.filter(({ file }) => changed(file)), ...problems.filter(({ file }) => !changed(file))]
}

const report = (problems: readonly LintProblem[], hasRelease: boolean) =>
  `${hasRelease ? 'The last good release stays' : 'There is no release until these are corrected'}:\n${problems.map(showProblem).join('\n')}`

/** Takes the files in once. @throws BrokenSources when nothing else is published and nobody watches for their repair */
export async function openBuildFiles({ root, created, log, watch, say, onProblems }: BuildFilesOptions): Promise<BuildFiles> {
  let queue: Promise<unknown> = Promise.resolve()
  /** One after the other, in the order in which they came. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = queue.then(work)
    queue = result.catch(() => undefined)
    return result
  }
  let broken = false
  /** The last set that was whole. */
  let whole: ReadonlyMap<string, string> = new Map()
  async function takeIn(): Promise<void> {
    let files: SourceFile[] = []
    try {
      files = await readFiles(root)
      await created.importSources(files, watch)
      if (broken) say('The documents are whole again.')
      broken = false
      whole = new Map(files.map(({ file, text }) => [file, text]))
      onProblems?.([])
    } catch (error) {
      if (!watch && !created.stable()) throw error
      broken = true
      if (!(error instanceof BrokenSources)) {
        log.error({ err: error }, 'publishing: the files of the build could not be imported; the live release stays')
        return say(String(error))
      }
      const texts = new Map(files.map(({ file, text }) => [file, text]))
      const problems = firstCausesFirst(error.problems, (file) => texts.get(file) !== whole.get(file))
      say(report(problems, created.stable() !== undefined))
      onProblems?.(problems)
    }
  }
  // Watched before they are read: what is saved while they are taken in is taken in after it.
  const folders = [join(root, 'schemas'), join(root, 'locales')]
  const unwatch = watch ? await watchFolders(folders, () => inTurn(takeIn)) : () => undefined
  await inTurn(takeIn)

  return {
    publish: (files) =>
      inTurn(async () => {
        const hasWords = files.some(({ file }) => file.startsWith('locales/'))
        const { files: live } = await created.publishing.files({ release: created.publishing.live().stable.number })
        const words = Object.entries(live).flatMap(([file, text]) => (file.startsWith('locales/') ? [{ file, text }] : []))
        await created.importSources(hasWords ? files : [...files, ...words], true)
      }),
    close: unwatch,
  }
}
