import { atMost, median, report, reported } from '#bench/bars.ts'
import { projectRoot } from '#bench/product.ts'
import { readCatalog } from '#config-server/catalog.ts'
import { readFiles, sourcesOf } from '#config-server/files.ts'
import { createChecker } from '#console/io/checker.ts'
import { parse } from '#language/documents/parse.ts'
import { lintParsed } from '#language/lint/run.ts'

/**
 * Measures the checks of documents: all at once, as in `cfg lint`, and after one keystroke in a screen, as in the console's workers. `npm
 * run bench:language [-- --rounds=N]`; medians in milliseconds.
 */
const rounds = Number(process.argv.find((word) => word.startsWith('--rounds='))?.slice('--rounds='.length) ?? 15)

const all = await readFiles(projectRoot)
const { files, texts } = sourcesOf(all)
const catalog = await readCatalog(projectRoot)

function timed(work: (round: number) => unknown): number {
  return median(
    Array.from({ length: rounds }, (_, round) => {
      const start = performance.now()
      work(round)
      return performance.now() - start
    }),
  )
}

const checkAll = () => lintParsed(parse(files), texts, catalog)
const start = performance.now()
checkAll()
const first = performance.now() - start
const again = timed(checkAll)

const checker = createChecker(catalog)
checker.change(Object.fromEntries(all.map(({ file, text }) => [file, text])))
checker.problems()
const path = 'schemas/screens/fund/withdraw.json'
const text = files.find(({ file }) => file === path)?.text ?? ''
const typed = (round: number) => text.replace('"size": "100"', `"size": "10${round % 10}"`)
if (typed(1) === text) throw new Error(`${path} has nothing to type at`)
const type = (round: number) => checker.change({ [path]: typed(round + 1) })
const picture = timed(type)
const problems = timed((round) => {
  type(round)
  checker.problems()
})

report(
  `checks of ${files.length} documents`,
  [
    reported('all documents, the first time', `${first.toFixed(0)} ms`),
    atMost('all documents, after that', again, 1_000, ' ms'),
    reported('a key in a screen, until it can be drawn', `${picture.toFixed(0)} ms`),
    atMost('a key in a screen, until its problems are known', problems, 150, ' ms'),
  ],
  'npm run bench:language',
)
