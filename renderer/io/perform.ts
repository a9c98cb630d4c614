import type { ScreenDoc, Step } from '#language/documents.ts'
import type { Scope } from '#language/expression.ts'
import { limits } from '#language/limits.ts'
import { compilePrompt } from '#renderer/core/compile.ts'
import { type Effect, mayOpen, outcomeOf, plan } from '#renderer/core/plan.ts'
import { overlay, snapshot } from '#renderer/core/scope.ts'
import { CallProblem } from '#renderer/io/api.ts'
import type { ScreenData } from '#renderer/io/data.ts'
import type { Engine } from '#renderer/io/engine.ts'
import { loadPrompt } from '#renderer/io/screens.ts'
import type { ScreenStore } from '#renderer/io/store.ts'
import { promptTexts } from '#renderer/io/ui.ts'

export interface ActionPlace {
  engine: Engine
  store: ScreenStore
  data: ScreenData
  screen: Pick<ScreenDoc, 'id' | 'errors'>
}

type Result = 'done' | 'refused' | 'failed'

/**
 * Runs an action: every step reads the one snapshot taken now, plus the results of the action's own calls.
 * A refused prompt ends it silently; a failed step ends it with the outcome that the documents name for its problem.
 */
export async function perform(steps: readonly Step[], scope: Scope, value: unknown, place: ActionPlace): Promise<Result> {
  const result: Record<string, unknown> = {}
  const frozen = overlay(snapshot(scope, { value }), { result })
  place.engine.bus.emit('action', { screen: place.screen.id, steps })
  try {
    return await runSteps(steps, frozen, result, crypto.randomUUID(), place, 0)
  } catch (error) {
    // A prompt that cannot be had, or a step that this build refuses: said, not swallowed.
    place.engine.ui.toast(place.engine.say('engine.broken_text'), 'error')
    place.engine.bus.emit('call-failed', { screen: place.screen.id, call: '', name: String(error) })
    return 'failed'
  }
}

async function runSteps(
  steps: readonly Step[],
  scope: Scope,
  result: Record<string, unknown>,
  key: string,
  place: ActionPlace,
  depth: number,
): Promise<Result> {
  if (depth > limits.actionDepthMax) return 'failed'
  for (const [index, step] of steps.entries()) {
    const effect = plan(step, scope, place.engine.say)
    const outcome =
      effect.do === 'steps'
        ? await runSteps(effect.steps, scope, result, `${key}.${index}`, place, depth + 1)
        : await run(effect, scope, result, `${key}.${index}`, place)
    if (outcome !== 'done') return outcome
  }
  return 'done'
}

async function run(effect: Effect, scope: Scope, result: Record<string, unknown>, key: string, place: ActionPlace): Promise<Result> {
  const { engine, store, data } = place
  switch (effect.do) {
    case 'go':
      engine.go(effect.route, effect.params, effect.replace)
      return 'done'
    case 'back':
      engine.back()
      return 'done'
    case 'open':
      store.openSheet(effect.sheet)
      return 'done'
    case 'close':
      store.openSheet(undefined)
      return 'done'
    case 'toast':
      engine.ui.toast(effect.text, effect.tone)
      return 'done'
    case 'set':
      for (const [root, path, value] of effect.values) {
        if (root === 'state') store.setState(path, value)
        else if (root === 'device' && value !== undefined) engine.device.set(path, value as never)
      }
      return 'done'
    case 'refresh':
      await data.refresh(effect.sources)
      return 'done'
    case 'more':
      data.more(effect.source)
      return 'done'
    case 'copy':
      return copy(effect.text, place)
    case 'share':
      return share(effect, place)
    case 'link':
      return link(effect.url, place)
    case 'confirm':
      return confirm(effect, scope, place)
    case 'call':
      return call(effect, result, key, place)
    case 'steps':
      return 'done'
  }
}

async function copy(text: string, { engine }: ActionPlace): Promise<Result> {
  try {
    await navigator.clipboard.writeText(text)
    engine.ui.toast(engine.say('engine.copied'), 'success')
    return 'done'
  } catch {
    engine.ui.toast(text)
    return 'failed'
  }
}

/** The device's own share sheet where there is one, otherwise the address goes to the clipboard. */
async function share(effect: Extract<Effect, { do: 'share' }>, place: ActionPlace): Promise<Result> {
  if (typeof navigator.share !== 'function') return copy(effect.url, place)
  try {
    await navigator.share({ title: effect.title, text: effect.text, url: effect.url })
    return 'done'
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return 'refused'
    place.engine.ui.toast(place.engine.say('engine.share_failed'), 'error')
    return 'failed'
  }
}

function link(url: string, { engine }: ActionPlace): Result {
  if (!mayOpen(url, engine.app().links)) {
    engine.ui.toast(engine.say('engine.link_blocked'), 'error')
    return 'failed'
  }
  window.open(url, '_blank', 'noopener,noreferrer')
  return 'done'
}

async function confirm(effect: Extract<Effect, { do: 'confirm' }>, scope: Scope, { engine }: ActionPlace): Promise<Result> {
  const doc = await loadPrompt(engine, effect.prompt)
  const inside = overlay(scope, { params: effect.with })
  const read = (value: Parameters<Parameters<typeof promptTexts>[1]>[0]) => {
    const seen = value?.evaluate(inside, engine.say).value
    return seen === undefined || seen === null ? '' : String(seen)
  }
  const openedAt = engine.now()
  const agreed = await engine.ui.ask(
    promptTexts(compilePrompt(doc), read, { ok: engine.say('engine.ok'), cancel: engine.say('engine.cancel') }),
  )
  if (!agreed) return 'refused'
  if (doc.stale_after_ms !== undefined && engine.now() - openedAt > doc.stale_after_ms) {
    engine.ui.toast(engine.say('engine.price_old'), 'warn')
    return 'refused'
  }
  return 'done'
}

async function call(
  effect: Extract<Effect, { do: 'call' }>,
  result: Record<string, unknown>,
  key: string,
  place: ActionPlace,
): Promise<Result> {
  const { engine, data, screen } = place
  try {
    const answer = await engine.api.call(effect.call, effect.args, { key })
    if (effect.as) result[effect.as] = answer
    return 'done'
  } catch (error) {
    const problem = error instanceof CallProblem ? error : undefined
    const outcome = outcomeOf(screen.errors, problem?.name ?? 'internal')
    const words = problem?.msg || engine.say(`problem.${problem?.name ?? 'internal'}`)
    if (outcome?.refresh) void data.refresh(outcome.refresh)
    if (outcome?.go) engine.go(outcome.go, {}, false)
    if (!outcome || outcome.toast !== undefined || outcome.go) {
      engine.ui.toast(typeof outcome?.toast === 'string' ? outcome.toast : words, 'error')
    }
    engine.bus.emit('call-failed', { screen: screen.id, call: effect.call, name: problem?.name ?? 'internal' })
    return 'failed'
  }
}
