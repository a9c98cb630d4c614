import { type CallProblem, ofSession, problemWords } from '#renderer/calls/api.ts'
import type { Say } from '#renderer/core/resolve.ts'
import type { Device } from '#renderer/device/device.ts'
import type { AppProblem, Gate, Problems, Session } from '#renderer/engine/types.ts'
import type { Ui } from '#renderer/engine/ui.ts'

export interface ProblemOptions {
  session: Session
  gate: Gate
  device: Pick<Device, 'token'>
  ui: Ui
  say: Say
  elapsed: () => number
  reload: () => void
}

const tellAgainMs = 600_000

export function createProblems({ session, gate, device, ui, say, elapsed, reload }: ProblemOptions): Problems {
  const taken = new WeakSet<CallProblem>()
  const reportedAt = new Map<AppProblem, number>()

  const words = (problem: unknown) => problemWords(problem, say)
  return {
    words,
    take(problem, sent) {
      if (!ofSession(problem)) return false
      if (taken.has(problem)) return true
      taken.add(problem)
      if (sent && sent.secret !== device.token()) return true
      if (problem.code === 402) gate.toVerify(words(problem), sent?.from)
      else {
        // First where to come back to and what is said, then the end: pages that close with the session find the move under way.
        gate.toLogin(words(problem), sent?.from)
        session.end()
      }
      return true
    },
    tell(name, reason) {
      const last = reportedAt.get(name)
      if (last !== undefined && elapsed() - last < tellAgainMs) return
      reportedAt.set(name, elapsed())
      const again = name === 'chunk_load_failed'
      void ui
        .ask({
          title: say(name === 'socket_message_invalid' ? 'engine.socket_message_invalid_title' : 'engine.attention'),
          text: say(`problem.${name}`),
          rows: reason ? [{ label: say('engine.reason'), value: reason }] : [],
          danger: false,
          ok: say(again ? 'engine.reload' : 'engine.ok'),
          cancel: again ? say('engine.cancel') : undefined,
        })
        .then((agreed) => agreed && again && reload())
    },
    over(name) {
      const text = say(`problem.${name}`)
      for (const prompt of ui.prompts()) if (prompt.text === text) prompt.settle(false)
    },
  }
}
