import '#console/zod-config.ts'
import { type Checker, createChecker, type PreparedChange } from '#console/io/checker.ts'
import type { Catalog, LintProblem } from '#language/types/catalog.ts'

export type CheckPart = 'prepared' | 'problems'

/**
 * `catalog` begins anew. There are two of these workers: one answers what is prepared, at once; the other looks for problems, which takes
 * longer and must not keep a picture waiting.
 */
export interface CheckerAsk {
  ticket: number
  part: CheckPart
  catalog?: Catalog
  texts: Record<string, string | null>
  base?: Record<string, string>
}
export type CheckerAnswer =
  | { ticket: number; kind: 'prepared'; change: PreparedChange; ms: number }
  | { ticket: number; kind: 'problems'; problems: LintProblem[]; ms: number }
  | { ticket: number; kind: 'broken'; part: CheckPart; message: string }

const quietMs = 120
let checker: Checker | undefined
let timer: ReturnType<typeof setTimeout> | undefined
const tell = (answer: CheckerAnswer) => postMessage(answer)

addEventListener('message', ({ data: { ticket, part, catalog, texts, base } }: MessageEvent<CheckerAsk>) => {
  const attempt = (work: () => void) => {
    try {
      work()
    } catch (error) {
      tell({ ticket, kind: 'broken', part, message: String((error as Error).message) })
    }
  }
  attempt(() => {
    const begun = performance.now()
    if (catalog) checker = createChecker(catalog, part === 'prepared')
    if (!checker) return
    const change = checker.change(texts, base)
    if (part === 'prepared') return tell({ ticket, kind: 'prepared', change, ms: performance.now() - begun })
    // Messages that wait are read first, so what is looked at is the newest state.
    clearTimeout(timer)
    timer = setTimeout(() => {
      const looked = performance.now()
      attempt(() => checker && tell({ ticket, kind: 'problems', problems: checker.problems(), ms: performance.now() - looked }))
    }, quietMs)
  })
})
