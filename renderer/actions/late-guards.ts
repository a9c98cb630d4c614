import type { GuardOptions, Guards } from '#renderer/actions/guards.ts'
import { ofSession, problemWords } from '#renderer/calls/api.ts'
import { entryOf } from '#renderer/engine/gate.rules.ts'
import type { AppProblem } from '#renderer/engine/types.ts'

/** Both, and a way to have them before they are needed. */
export interface LateGuards extends Guards {
  /** Fetches what turns people away and tells of problems. @throws when it cannot be had; it is tried again */
  ready(): Promise<void>
}

const againMs = 5_000

const loadGuards = async (options: GuardOptions): Promise<Guards> => (await import('#renderer/actions/guards.ts')).createGuards(options)

/**
 * Gate and problems whose code is still on its way. Who may see a page is answered at once; everything that moves or says something waits
 * for the code and is then done in the order in which it was asked.
 * @param load tried again every five seconds while something waits
 */
export function createLateGuards(options: GuardOptions, load = loadGuards): LateGuards {
  const { session, match, device, say } = options
  let guards: Guards | undefined
  let coming: Promise<void> | undefined
  const waiting: ((guards: Guards) => void)[] = []

  const ready = (): Promise<void> =>
    (coming ??= load(options).then(
      (made) => {
        guards = made
        for (const run of waiting.splice(0)) run(made)
      },
      (problem: unknown) => {
        coming = undefined
        if (waiting.length > 0) setTimeout(come, againMs)
        throw problem
      },
    ))
  const come = () => void ready().catch(() => undefined)
  function later(run: (guards: Guards) => void, hurry = true): void {
    if (guards) run(guards)
    else {
      waiting.push(run)
      if (hurry) come()
    }
  }

  return {
    ready,
    gate: {
      entry(path) {
        const route = match(path)?.route
        return route ? entryOf(route, session.who()) : 'open'
      },
      go: (address, replace) => later(({ gate }) => gate.go(address, replace)),
      turnAway: (path) => later(({ gate }) => gate.turnAway(path)),
      toLogin: (text) => later(({ gate }) => gate.toLogin(text)),
      toVerify: (text) => later(({ gate }) => gate.toVerify(text)),
      back: () => later(({ gate }) => gate.back()),
      // Where somebody has been matters only to what comes after it.
      visited: (path, popped) => later(({ gate }) => gate.visited(path, popped), false),
      leave: () => later(({ gate }) => gate.leave()),
    },
    problems: {
      words: (problem) => problemWords(problem, say),
      take(problem, sent = { secret: device.token() }) {
        if (guards) return guards.problems.take(problem, sent)
        if (!ofSession(problem)) return false
        later(({ problems }) => problems.take(problem, sent))
        return true
      },
      tell: (name: AppProblem, reason?: string) => later(({ problems }) => problems.tell(name, reason)),
      over: (name) => later(({ problems }) => problems.over(name), false),
    },
  }
}
