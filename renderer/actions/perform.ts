import type { Step } from '#language/documents/documents.ts'
import { limits } from '#language/documents/limits.ts'
import { mayOpen } from '#language/documents/links.rules.ts'
import type { Scope } from '#language/expression/expression.ts'
import { namedValues } from '#language/expression/named.ts'
import { moveFrom } from '#renderer/actions/enter-chain.ts'
import { type Exported, save, saveAnswer } from '#renderer/actions/perform-save.ts'
import { write } from '#renderer/actions/perform-write.ts'
import type { ActionPlace, Result } from '#renderer/actions/place.ts'
import { type Pressed, pressOn } from '#renderer/actions/press.ts'
import { compilePrompt, isStale, loadPrompt, promptTexts } from '#renderer/actions/prompt.ts'
import { CallProblem } from '#renderer/calls/api.ts'
import { Left, sendCall, tellDone } from '#renderer/calls/perform-call.ts'
import { answerProblem } from '#renderer/calls/perform-problem.ts'
import { pickFile, uploadFile } from '#renderer/calls/upload.ts'
import { type Effect, plan, TooMuchData } from '#renderer/core/plan.ts'
import { overlay } from '#renderer/core/scope.ts'
import { outdate, renewShown } from '#renderer/data/data-live.ts'

/** `again`: the prompt is asked once more, on what is true then. `stale`: the same, and nobody had answered it. */
type Outcome = Result | 'again' | 'stale'

/** Each time a person answers a prompt in between, so this only stops what never ends. */
const againMax = 10
/** How often an open prompt looks whether what it shows still applies. */
const staleCheckMs = 250

/** Steps that need every value that they read: they are never run on data that answers other arguments than the present ones. */
const sending: ReadonlySet<Effect['do']> = new Set(['call', 'confirm'])
/** Steps that move the customer or open something: left out when the screen of the press is no longer the one that is shown. */
const moving: ReadonlySet<Effect['do']> = new Set(['go', 'back', 'return', 'open', 'link', 'share'])
/** Steps that ask the customer: the action ends there instead, because what follows was not agreed to. */
const asking: ReadonlySet<Effect['do']> = new Set(['confirm', 'upload'])

/**
 * Runs an action: every step reads the one snapshot taken now, plus the results of the action's own calls. A refused prompt ends it
 * silently; a failed step ends it with the outcome that the documents name for its problem. It does not begin on data that answers other
 * arguments than the present ones: the customer gets the message that it is still loading. When the customer leaves the screen meanwhile,
 * the rest neither moves them nor asks them anything; the outcome of a call is still shown.
 * @param scope a live one: a prompt that is asked once more reads it again
 * @param pressed snapshot and visit, where the press was earlier
 */
export async function perform(
  steps: readonly Step[],
  scope: Scope,
  value: unknown,
  place: ActionPlace,
  pressed: Pressed = pressOn(scope, value, place),
): Promise<Result> {
  const result: Record<string, unknown> = {}
  const run: Run = {
    place,
    result,
    visit: pressed.visit,
    left: () => place.engine.visit() !== run.visit,
    untold: undefined,
    sent: false,
    changed: false,
    fresh: undefined,
    readsOld: pressed.readsOld,
    rounds: 0,
    now() {
      const now = pressOn(scope, value, place)
      return { ...now, scope: overlay(now.scope, { result }) }
    },
  }
  place.engine.bus.emit('action', { screen: place.screen.id, steps })
  try {
    const outcome = await runSteps(steps, overlay(pressed.scope, { result }), run, crypto.randomUUID(), 0)
    return outcome === 'again' || outcome === 'stale' ? 'failed' : outcome
  } catch (error) {
    // A prompt that cannot be had, or a step that this build refuses: said, not swallowed.
    const { engine } = place
    const { say, problems } = engine
    const known = error instanceof TooMuchData ? say(`problem.${error.name}`) : error instanceof CallProblem && problems.words(error)
    engine.ui.toast(known || say('engine.step_failed'), 'error')
    engine.bus.emit('call-failed', { screen: place.screen.id, call: '', name: String(error) })
    return 'failed'
  } finally {
    if (run.untold !== undefined && run.left()) tellDone(place.engine, run.untold)
    // Steps of a source could make it load for ever.
    if (run.changed && !place.source) renewShown(place.engine)
  }
}

/** One press. */
interface Run {
  place: ActionPlace
  result: Record<string, unknown>
  /** The visit in which its steps may move and ask. */
  visit: number
  /** The customer has left that visit. */
  left: () => boolean
  /** Title of the screen whose call with a key was done, while no step has shown that. */
  untold: string | undefined
  /** A call was sent. */
  sent: boolean
  /** A call with a key was done. */
  changed: boolean
  /** Sources that were asked again since a call with a key or a `refresh`; undefined before one. */
  fresh: Set<string> | undefined
  /** Whether the step that was planned last read data that answers other arguments than the present ones. */
  readsOld: () => boolean
  /** How often a prompt was asked again. */
  rounds: number
  /** Returns the current values, with the results so far. */
  now: () => Pressed
}

async function runSteps(steps: readonly Step[], from: Scope, run: Run, key: string, depth: number): Promise<Outcome> {
  if (depth > limits.actionDepthMax) return 'failed'
  let scope = from
  let round = key
  for (let index = 0; index < steps.length; index++) {
    const { engine } = run.place
    scope = await current(steps[index]!, scope, run)
    const effect = plan(steps[index]!, scope, engine.say)
    // After a call has been sent, its consequences are shown all the same.
    if (run.readsOld() && (!run.sent || sending.has(effect.do))) {
      if (!run.place.source) engine.ui.toast(engine.say('engine.still_loading'), 'warn')
      return 'refused'
    }
    const outcome =
      effect.do === 'steps'
        ? await runSteps(effect.steps, scope, run, `${round}.${index}`, depth + 1)
        : await performOne(steps[index]!, effect, scope, run, `${round}.${index}`)
    if (outcome === 'done') continue
    const prompt = outcome === 'again' || outcome === 'stale' ? steps.slice(0, index + 1).findLastIndex((step) => 'confirm' in step) : -1
    if (prompt < 0) return outcome
    if (run.left()) return 'failed'
    if (outcome === 'again' && ++run.rounds > againMax) return 'failed'
    // The second tap of a double tap is meant for the offer that is gone, and may not agree to the next one.
    await rest(run.place)
    const now = run.now()
    run.readsOld = now.readsOld
    scope = now.scope
    // Values that were entered after the press have not been sent; the button is still there.
    if (JSON.stringify(scope.get('form')) !== JSON.stringify(from.get('form'))) return 'failed'
    // Another offer is another request: it carries another key.
    round = crypto.randomUUID()
    index = prompt - 1
  }
  return 'done'
}

/**
 * The scope for a step after a call with a key, or after a `refresh`: it reads data as it is then. Sources that the call may have changed are
 * asked first, each once.
 */
async function current(step: Step, scope: Scope, run: Run): Promise<Scope> {
  const { fresh, place } = run
  const names = fresh ? sourcesOf(step, place.store) : []
  if (!fresh || names.length === 0) return scope
  const old = run.changed ? names.filter((name) => !fresh.has(name)) : []
  for (const name of old) fresh.add(name)
  if (old.length > 0 && !run.left()) await asked(place, () => place.data.refresh(old))
  const now = run.now()
  run.readsOld = now.readsOld
  return overlay(scope, { data: now.scope.get('data') })
}

/** Sources that a step reads, itself or by named values; the steps of a branch are steps of their own. */
function sourcesOf(step: Step, store: ActionPlace['store']): string[] {
  const text = JSON.stringify('if' in step ? step.if : step)
  const named = [...text.matchAll(/\bvalues\.(\w+)/g)].flatMap(([, name]) => store.values?.deps(name as string)?.deps ?? [])
  return [...new Set([text, ...named].flatMap((part) => [...part.matchAll(/\bdata\.(\w+)/g)].map(([, name]) => name as string)))]
}

function rest({ engine }: ActionPlace): Promise<void> {
  const ms = Number(engine.app().constants.clickThrottleMs ?? 500)
  return new Promise((resolve) => setTimeout(resolve, ms))
}

async function performOne(step: Step, effect: Effect, scope: Scope, run: Run, key: string): Promise<Outcome> {
  if (run.left()) {
    if (moving.has(effect.do)) return 'done'
    if (asking.has(effect.do)) return 'refused'
  }
  const { result, place } = run
  const { engine, store, data } = place
  switch (effect.do) {
    case 'go':
      return moved(run, () => engine.go(effect.route, effect.params, effect.replace, effect.beside))
    case 'back':
      return moved(run, () => engine.back())
    case 'open':
      // Coming back does not open a sheet again that was open when the customer left.
      if (!place.entry || !store.kept?.returned) store.openSheet(effect.sheet)
      return 'done'
    case 'close':
      store.openSheet(undefined)
      return 'done'
    case 'toast':
      engine.ui.toast(effect.text, effect.tone)
      if (effect.text) run.untold = undefined
      return 'done'
    case 'set':
      asked(place, () => write(effect, place, !run.sent && !run.left() && !place.entry && !place.source))
      return 'done'
    case 'refresh':
      await asked(place, () => data.refresh(effect.sources))
      run.fresh = new Set([...(run.fresh ?? []), ...effect.sources])
      return 'done'
    case 'more':
      data.more(effect.source)
      return 'done'
    case 'copy':
      return copy(effect.text, place)
    case 'share':
      return share(effect, place)
    case 'save':
      return save(effect, place)
    case 'link':
      return link(effect.url, place)
    case 'confirm':
      return confirm(effect, scope, run, () => latestOf(step, run))
    case 'resend':
    case 'discard':
      ;(await data.unsent?.())?.[effect.do](effect.id)
      return 'done'
    case 'call':
      return call(effect, scope, run, key)
    case 'reset':
      place.form?.reset()
      return 'done'
    case 'return':
      return moved(run, () => engine.gate.back())
    case 'login':
    case 'logout':
      return performSession(effect, result, place)
    case 'upload':
      try {
        return await performSession(effect, result, place)
      } catch (error) {
        return answerProblem(error, engine.uploadCall ?? '', scope, place, run.left())
      }
    case 'steps':
      return 'done'
  }
}

/** Does what may make sources load. */
function asked<T>({ source, data }: ActionPlace, run: () => T): T {
  return source ? data.asked(source.depth, run) : run()
}

/** The action's own move: what follows belongs to where it leads. */
function moved(run: Run, move: () => void): Result {
  moveFrom(run.place, move)
  run.visit = run.place.engine.visit()
  run.untold = undefined
  return 'done'
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

/** Returns the context that a prompt would get now; undefined while data for it is loading. */
function latestOf(step: Step, run: Run): Record<string, unknown> | undefined {
  const { scope, readsOld } = run.now()
  const effect = plan(step, scope, run.place.engine.say)
  return effect.do === 'confirm' && !readsOld() ? effect.with : undefined
}

/** @param latest what the prompt would be given now */
async function confirm(
  effect: Extract<Effect, { do: 'confirm' }>,
  scope: Scope,
  { place: { engine }, left }: Run,
  latest: () => Record<string, unknown> | undefined,
): Promise<Outcome> {
  const doc = await loadPrompt(engine, effect.prompt)
  if (left()) return 'refused'
  const prompt = compilePrompt(doc)
  const inside = overlay(scope, { params: effect.with, values: namedValues(prompt.values) })
  const openedAt = engine.clock.elapsed()
  const texts = promptTexts(prompt, inside, engine.say, { ok: engine.say('engine.ok'), cancel: engine.say('engine.cancel') })
  let timer: ReturnType<typeof setInterval> | undefined
  let isGone = false
  const gone =
    prompt.staleWhen &&
    new Promise<void>((resolve) => {
      timer = setInterval(() => {
        try {
          isGone ||= isStale(prompt, inside, latest())
        } catch {
          // It cannot be worked out any more: asking again says why.
          isGone = true
        }
        if (isGone) resolve()
      }, staleCheckMs)
    })
  const agreed = await engine.ui.ask(texts, gone).finally(() => clearInterval(timer))
  if (!agreed || left()) return 'refused'
  if (isGone || isStale(prompt, inside, latest())) {
    engine.ui.toast(engine.say('engine.prompt_changed'), 'warn')
    return 'stale'
  }
  if (doc.stale_after_ms !== undefined && engine.clock.elapsed() - openedAt > doc.stale_after_ms) {
    engine.ui.toast(engine.say('engine.price_old'), 'warn')
    return 'again'
  }
  return 'done'
}

async function call(effect: Extract<Effect, { do: 'call' }>, scope: Scope, run: Run, key: string): Promise<Outcome> {
  const { place, result, left } = run
  const done = (title: string) => {
    run.untold = title
  }
  run.sent = true
  // Its row says what becomes of it.
  const source = Object.values(place.screen.data ?? {}).find(({ send }) => send?.call === effect.call)
  if (source) {
    ;(await place.data.unsent?.())?.add(source, place.store, effect.args)
    return 'done'
  }
  try {
    const answer = await sendCall(effect, key, place, { left, done }).finally(() => outdate(place.engine))
    if (place.engine.api.changes?.(effect.call)) {
      run.changed = true
      run.fresh = new Set()
    }
    if (effect.as) result[effect.as] = answer
    return effect.file ? saveAnswer(answer as Exported, place) : 'done'
  } catch (error) {
    if (error instanceof Left) return 'refused'
    return answerProblem(error, effect.call, scope, place, left())
  }
}

type SessionEffect = Extract<Effect, { do: 'login' | 'logout' | 'upload' }>

/** Steps that begin or end a session, or send a file. @throws CallProblem when the file cannot be sent */
async function performSession(effect: SessionEffect, result: Record<string, unknown>, { engine }: ActionPlace): Promise<Result> {
  if (effect.do === 'logout') {
    await engine.session.logout()
    return 'done'
  }
  if (effect.do === 'login') return (await engine.session.login(effect.token)) ? 'done' : 'failed'
  const file = await pickFile(effect.accept)
  if (!file) return 'refused'
  result[effect.as] = await uploadFile(engine, file, effect.purpose === undefined ? {} : { purpose: effect.purpose })
  return 'done'
}
