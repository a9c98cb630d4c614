import { ofSession, problemWords } from '#renderer/calls/api.ts'
import { lazy } from '#renderer/core/lazy.ts'
import { entryOf, isShut } from '#renderer/engine/gate.rules.ts'
import type { GateOptions } from '#renderer/engine/gate.ts'
import type { ProblemOptions } from '#renderer/engine/problems.ts'
import type { AppProblem, Gate, Problems } from '#renderer/engine/types.ts'

/** Gate and problems. They load together, because problems need the gate. */
export interface Access {
  gate: Gate
  problems: Problems
}

export type AccessOptions = GateOptions & Omit<ProblemOptions, 'gate'>

async function loadAccess(options: AccessOptions): Promise<Access> {
  const [{ createGate }, { createProblems }] = await Promise.all([
    import('#renderer/engine/gate.ts'),
    import('#renderer/engine/problems.ts'),
  ])
  const gate = createGate(options)
  return { gate, problems: createProblems({ ...options, gate }) }
}

/**
 * Gate and problems, whose code comes after the first paint. Whether a page is open is answered at once; everything that navigates or shows
 * a message waits for the code and is then done in the order in which it was asked.
 */
export function createAccess(options: AccessOptions, load = loadAccess): Access & { load(): Promise<unknown> } {
  const { session, match, device, say, constants } = options
  const access = lazy(() => load(options))
  const later = access.whenReady
  const entry = (path: string) => {
    const route = match(path)?.route
    return route ? entryOf(route, session.who()) : 'open'
  }

  return {
    load: access.load,
    gate: {
      entry,
      isShut: (path) => isShut(entry(path), constants(), match),
      go: (address, replace) => later(({ gate }) => gate.go(address, replace)),
      turnAway: (path) => later(({ gate }) => gate.turnAway(path)),
      toLogin: (text, from) => later(({ gate }) => gate.toLogin(text, from)),
      toVerify: (text, from) => later(({ gate }) => gate.toVerify(text, from)),
      back: () => later(({ gate }) => gate.back()),
      // Where somebody has been matters only to what comes after it.
      visited: (path, popped) => later(({ gate }) => gate.visited(path, popped), false),
      leave: () => later(({ gate }) => gate.leave()),
    },
    problems: {
      words: (problem) => problemWords(problem, say),
      take(problem, sent = { secret: device.token() }) {
        const here = access.ready()
        if (here) return here.problems.take(problem, sent)
        if (!ofSession(problem)) return false
        later(({ problems }) => problems.take(problem, sent))
        return true
      },
      tell: (name: AppProblem, reason?: string) => later(({ problems }) => problems.tell(name, reason)),
      over: (name) => later(({ problems }) => problems.over(name), false),
    },
  }
}
