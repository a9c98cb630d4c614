import type { Value } from '#language/documents/documents.ts'
import type { Scope } from '#language/expression/expression.ts'
import { moveFrom } from '#renderer/actions/enter-chain.ts'
import { write } from '#renderer/actions/perform-write.ts'
import type { ActionPlace } from '#renderer/actions/place.ts'
import { CallProblem } from '#renderer/calls/api.ts'
import { outcomeOf, plan } from '#renderer/core/plan.ts'

/**
 * A call of an action has failed: what it means for the session comes first, then what the documents say, then the server's own words.
 * @param left the customer has left the screen of the press: they get a toast, and are neither moved nor asked
 * @returns `again` when the prompt of the action is to be asked once more
 */
export async function answerProblem(
  error: unknown,
  call: string,
  scope: Scope,
  place: ActionPlace,
  left: boolean,
): Promise<'failed' | 'again'> {
  const { engine, data, screen } = place
  // A form that nobody sees cannot show it.
  const form = left ? undefined : place.form
  const { problems, ui, say } = engine
  const problem = error instanceof CallProblem ? error : undefined
  const name = problem?.name ?? 'internal'
  engine.bus.emit('call-failed', { screen: screen.id, call, name })
  const outcome = outcomeOf(screen.errors, name)
  // A row that waits for the call stops waiting, whatever the problem leads to.
  if (outcome?.set) write(plan({ set: outcome.set }, scope, say), place, false)
  if (problems.take(error)) return 'failed'

  const said = (text: Value) => {
    const own = plan({ toast: text }, scope, say)
    return own.do === 'toast' ? own.text : ''
  }
  const words = (outcome?.message !== undefined && said(outcome.message)) || problems.words(error)
  if (!outcome) {
    if (!(problem?.field && form?.problem(problem.field, words))) ui.toast(words, 'error')
    return 'failed'
  }
  const field = outcome.field ?? (outcome.toast === undefined ? problem?.field : undefined)
  const onField = field !== undefined && (form?.problem(field, words) ?? false)
  const toast = outcome.toast === undefined || outcome.toast === true ? undefined : said(outcome.toast)
  if (outcome.toast === true) ui.toast(words, 'error')
  else if (toast) ui.toast(toast, 'error')
  else if (!onField && (left || outcome.field || outcome.message !== undefined || outcome.go || outcome.retry))
    ui.toast(words, outcome.retry ? 'warn' : 'error')
  const { go } = outcome
  if (go && !left) moveFrom(place, () => engine.go(go, {}, false))
  const loading = outcome.refresh && data.refresh(outcome.refresh)
  if (outcome.retry !== 'confirm' || left) return 'failed'
  // Without a new offer there is nothing new to agree to; the source says what is wrong with it.
  return (await loading) === false ? 'failed' : 'again'
}
