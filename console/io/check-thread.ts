import type { CheckerAnswer, CheckerAsk } from '#console/io/checker.worker.ts'
import workerUrl from '#console/io/checker.worker.ts?worker&url'
import type { Catalog } from '#language/types/catalog.ts'

/** The checks, off the page's thread. */
export interface CheckThread {
  /**
   * Begins anew with a whole set.
   * @param base texts of the base release for changed files, which stand in for those that cannot be read
   */
  begin(catalog: Catalog, texts: Record<string, string | null>, base?: Record<string, string>): void
  change(texts: Record<string, string | null>): void
  end(): void
}

interface ScriptPolicy {
  createScriptURL(url: string): unknown
}
interface PolicyMaker {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): ScriptPolicy
}

/** The policy is named once per page; only scripts of this build pass. */
let policy: ScriptPolicy | undefined
function trusted(url: string): string {
  const maker = (globalThis as { trustedTypes?: PolicyMaker }).trustedTypes
  if (!maker) return url
  policy ??= maker.createPolicy('console-worker', {
    createScriptURL(asked) {
      if (new URL(asked, location.href).origin !== location.origin) throw new TypeError('not a script of this build')
      return asked
    },
  })
  return policy.createScriptURL(url) as string
}

/**
 * @param tell receives every answer that belongs to the newest question or an earlier one of the same set
 * @param problems false: only what is prepared is asked for
 */
export function startCheckThread(tell: (answer: CheckerAnswer) => void, problems = true): CheckThread {
  const parts = problems ? (['prepared', 'problems'] as const) : (['prepared'] as const)
  const workers = parts.map((part) => ({ part, worker: new Worker(trusted(workerUrl), { type: 'module', name: `checks: ${part}` }) }))
  let ticket = 0
  let from = 0
  /** Problems wait for the first picture. */
  let held: CheckerAsk[] | undefined = []
  for (const { part, worker } of workers) {
    worker.addEventListener('message', ({ data }: MessageEvent<CheckerAnswer>) => {
      if (data.ticket >= from) tell(data)
      if (!held) return
      const asked = held
      held = undefined
      for (const one of asked) workers.find((other) => other.part === one.part)?.worker.postMessage(one)
    })
    worker.addEventListener('error', (event) => tell({ ticket, kind: 'broken', part, message: event.message }))
  }
  const ask = (message: Omit<CheckerAsk, 'ticket' | 'part'>) => {
    ticket += 1
    for (const { part, worker } of workers) {
      const one: CheckerAsk = { ticket, part, ...message }
      if (part === 'problems' && held) held.push(one)
      else worker.postMessage(one)
    }
  }
  return {
    begin(catalog, texts, base) {
      from = ticket + 1
      ask({ catalog, texts, ...(base && { base }) })
    },
    change: (texts) => ask({ texts }),
    end() {
      for (const { worker } of workers) worker.terminate()
    },
  }
}
