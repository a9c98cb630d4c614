import type { ErrorOutcome, SavedType, Step, Value } from '#language/documents/documents.ts'
import { type Compiled, compile, guard, type Scope } from '#language/expression/expression.ts'
import { compilePath, readPath } from '#language/expression/scope.ts'
import { setPath } from '#language/expression/set-path.ts'
import { type CompiledValue, compileValue } from '#language/expression/value.ts'
import type { Say } from '#renderer/core/resolve.ts'

/** One write of a `set` step. `record`: one record of a list, or one member of it. */
export interface Written {
  root: 'state' | 'form' | 'device'
  path: string
  value: unknown
  record?: { by: string | number; member: string | undefined }
}

/** One thing to do, with every value already read from the action's snapshot. */
export type Effect =
  | { do: 'go'; route: string; params: Record<string, unknown>; replace: boolean; beside: boolean }
  | { do: 'back' }
  | { do: 'open'; sheet: string }
  | { do: 'close' }
  | { do: 'toast'; text: string; tone: 'info' | 'success' | 'warn' | 'error' }
  | { do: 'set'; values: readonly Written[] }
  | { do: 'refresh'; sources: readonly string[] }
  | { do: 'more'; source: string }
  | { do: 'copy'; text: string }
  | { do: 'share'; title: string; text: string; url: string }
  | { do: 'save'; name: string; text: string; type: SavedType }
  | { do: 'link'; url: string }
  /** `file`: the answer is a file to save. */
  | { do: 'call'; call: string; args: Record<string, unknown>; as: string | undefined; file?: true }
  /** `id`: that of a row that this device sends. */
  | { do: 'resend' | 'discard'; id: string }
  | { do: 'confirm'; prompt: string; with: Record<string, unknown> }
  | { do: 'reset' }
  | { do: 'upload'; accept: readonly string[]; purpose: string | undefined; as: string }
  | { do: 'login'; token: string }
  | { do: 'logout' }
  | { do: 'return' }
  | { do: 'steps'; steps: readonly Step[] }

/** Types of files that the upload step offers when the document names none. */
const pictures = ['image/jpeg', 'image/png', 'image/webp']

/** A limit of expressions has ended the evaluation of a value: what needs it is not done. */
export class TooMuchData extends Error {
  override readonly name = 'too_much_data'
}

/** @throws TooMuchData when a limit ends the evaluation: a step never acts on half a value */
export function wholeValue(value: CompiledValue, scope: Scope, say: Say): unknown {
  const outcome = value.evaluate(scope, say)
  if (outcome.stopped !== undefined) throw new TooMuchData()
  return outcome.value
}
/** Whether a condition holds. @throws TooMuchData when a limit ends its evaluation */
export function isOpen(condition: Compiled, scope: Scope): boolean {
  const { open, stopped } = guard(condition, scope)
  if (stopped !== undefined) throw new TooMuchData()
  return open
}
const read = (value: Value | undefined, scope: Scope, say: Say): unknown =>
  value === undefined ? undefined : wholeValue(compileValue(value), scope, say)
const text = (value: Value | undefined, scope: Scope, say: Say): string => {
  const seen = read(value, scope, say)
  return seen === undefined || seen === null ? '' : String(seen)
}
const record = (values: Record<string, Value> | undefined, scope: Scope, say: Say): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values ?? {}).map(([name, value]) => [name, read(value, scope, say)]))

/** Nothing is written to a record whose key has no value. */
function written(text: string, value: unknown, scope: Scope): Written[] {
  const { root, path, by, member } = setPath(text) as ReturnType<typeof setPath> & Pick<Written, 'root'>
  if (by === undefined) return [{ root, path, value }]
  const key = readPath(scope, compilePath(by))
  return typeof key === 'string' || typeof key === 'number' ? [{ root, path, value, record: { by: key, member } }] : []
}

/**
 * One step and the action's scope in, what to do out. Pure: the same snapshot gives the same effect.
 * @throws TooMuchData when a limit ends the evaluation of one of its values
 */
export function plan(step: Step, scope: Scope, say: Say): Effect {
  if ('go' in step) {
    const route = typeof step.go === 'string' ? step.go : text(step.go as Value, scope, say)
    return { do: 'go', route, params: record(step.params, scope, say), replace: step.replace ?? false, beside: step.beside ?? false }
  }
  if ('back' in step) return { do: 'back' }
  if ('open' in step) return { do: 'open', sheet: step.open }
  if ('close' in step) return { do: 'close' }
  if ('toast' in step) return { do: 'toast', text: text(step.toast, scope, say), tone: step.tone ?? 'info' }
  if ('set' in step) {
    return { do: 'set', values: Object.entries(step.set).flatMap(([path, value]) => written(path, read(value, scope, say), scope)) }
  }
  if ('refresh' in step) return { do: 'refresh', sources: step.refresh }
  if ('more' in step) return { do: 'more', source: step.more }
  if ('copy' in step) return { do: 'copy', text: text(step.copy, scope, say) }
  if ('share' in step) {
    return {
      do: 'share',
      title: text(step.share.title, scope, say),
      text: text(step.share.text, scope, say),
      url: text(step.share.url, scope, say),
    }
  }
  if ('save' in step) {
    const { name, text: body, type = 'text/plain' } = step.save
    return { do: 'save', name: text(name, scope, say), text: text(body, scope, say), type }
  }
  if ('link' in step) return { do: 'link', url: text(step.link, scope, say) }
  if ('if' in step) return { do: 'steps', steps: isOpen(compile(step.if), scope) ? step.then : (step.else ?? []) }
  if ('call' in step) return { do: 'call', call: step.call, args: record(step.args, scope, say), as: step.as }
  if ('export' in step) return { do: 'call', call: step.export, args: record(step.args, scope, say), as: undefined, file: true }
  if ('resend' in step) return { do: 'resend', id: text(step.resend, scope, say) }
  if ('discard' in step) return { do: 'discard', id: text(step.discard, scope, say) }
  if ('reset' in step) return { do: 'reset' }
  if ('upload' in step) return { do: 'upload', accept: step.upload.accept ?? pictures, purpose: step.upload.purpose, as: step.as }
  if ('login' in step) return { do: 'login', token: text(step.login, scope, say) }
  if ('logout' in step) return { do: 'logout' }
  if ('return' in step) return { do: 'return' }
  return { do: 'confirm', prompt: step.confirm, with: record(step.with, scope, say) }
}

/** Returns the outcome that the documents declare for a problem: the screen's own row for its name, else the row for every other. */
export function outcomeOf(errors: Record<string, ErrorOutcome> | undefined, name: string): ErrorOutcome | undefined {
  if (!errors) return undefined
  return Object.hasOwn(errors, name) ? errors[name] : Object.hasOwn(errors, '*') ? errors['*'] : undefined
}
