import type { ChangesDoc, Step } from '#language/documents/documents.ts'
import { limits } from '#language/documents/limits.ts'
import { compile, type NamedValues } from '#language/expression/expression.ts'
import { type LiveScope, topicOf } from '#renderer/core/scope.ts'

/**
 * Watches the expressions of `changes`. Several writes in one turn are one change. While an expression has no value, or null, it is not
 * compared: data and defaults that arrive for the first time change nothing. Steps that lead to each other end after a few rounds: lint refuses such circles, and
 * a page that runs one stays alive.
 * @param run performs the steps; `before` is the value that the expression had
 * @returns ends it
 */
export function watchChanges(changes: ChangesDoc, scope: LiveScope, run: (steps: readonly Step[], before: unknown) => void): () => void {
  const offs = changes.flatMap(({ when, do: steps }) => {
    const named = (scope.get('values') as NamedValues | undefined)?.deps
    const watched = compile(when, named && { named })
    const read = () => {
      const { value, missing, stopped } = watched.evaluate(scope)
      return missing.length > 0 || stopped !== undefined ? undefined : (value ?? undefined)
    }
    let known = read()
    let isWaiting = false
    let rounds = 0
    const look = () => {
      isWaiting = false
      const now = read()
      if (now === undefined || JSON.stringify(now) === JSON.stringify(known)) return
      const before = known
      known = now
      if (before === undefined || rounds >= limits.sourceCircleMax) return
      if (rounds++ === 0)
        setTimeout(() => {
          rounds = 0
        })
      run(steps, before)
    }
    const wake = () => {
      if (isWaiting) return
      isWaiting = true
      queueMicrotask(look)
    }
    return [...new Set(watched.deps.map(topicOf))].map((topic) => scope.subscribe(topic, wake))
  })
  return () => {
    for (const off of offs) off()
  }
}
