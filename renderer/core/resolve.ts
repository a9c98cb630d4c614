import { guard, type Scope } from '#language/expression/expression.ts'
import type { StopReason } from '#language/expression/run.ts'
import type { CompiledNode } from '#renderer/core/compile.ts'
import { given } from '#renderer/core/parts.ts'
import { drawnOf } from '#renderer/core/scope.ts'

/** Waiting keeps old data. `stale`: the data answers other arguments than the present ones, and is there to be drawn only. */
export type Loadable =
  | { status: 'idle' }
  | { status: 'pending'; data?: unknown }
  | { status: 'ready'; data: unknown }
  | { status: 'stale'; data: unknown }
  | { status: 'failed'; data?: unknown; problem: { code: number; name: string; msg: string } }

/**
 * `stale`: what is drawn is old. With a problem, loading it again failed; without one, it answers other arguments than the present ones.
 */
type NodeState = 'ready' | 'loading' | 'stale' | 'failed'

/** The present looks of a node. Equal content keeps its reference, so that nothing is drawn twice. */
export interface Resolved {
  shown: boolean
  enabled: boolean
  status: NodeState
  /** Machine name and text of the problem while status is failed or stale. */
  problem: { name: string; msg: string } | undefined
  props: Record<string, unknown>
  /** A list or an object that the view requires is absent, or a required one inside of it. */
  lacks: boolean
  /** A limit of expressions ended the evaluation of a prop or of `show`: the engine's error state is drawn, never the view. */
  stopped?: StopReason
}

export type Say = (key: string, args?: Record<string, unknown>) => string
/** State of a screen's data source by name. */
export type StatusOf = (source: string) => Loadable | undefined

const hidden: Resolved = { shown: false, enabled: false, status: 'ready', problem: undefined, props: {}, lacks: false }

/** The problem of what holds more data than expressions work through. */
export const tooMuchData = { name: 'too_much_data', msg: '' } as const

const stoppedBy = Object.fromEntries(
  (['steps', 'text', 'items'] as const).map((stopped): [StopReason, Resolved] => [
    stopped,
    { ...hidden, shown: true, status: 'failed', problem: tooMuchData, stopped },
  ]),
) as Record<StopReason, Resolved>

/** The state of a node whose expression a limit has stopped: an error. */
const halted = (reason: StopReason, before: Resolved | undefined): Resolved => (before?.stopped === reason ? before : stoppedBy[reason])

const ready: Pick<Resolved, 'status' | 'problem'> = { status: 'ready', problem: undefined }

/** The worst state of the sources that a node reads. */
function stateOf(sources: readonly string[], statusOf: StatusOf): Pick<Resolved, 'status' | 'problem'> {
  let status: NodeState = 'ready'
  let problem: Resolved['problem']
  for (const name of sources) {
    const loadable = statusOf(name)
    if (!loadable || loadable.status === 'ready') continue
    const has = 'data' in loadable && loadable.data !== undefined
    if (loadable.status === 'failed') {
      problem = loadable.problem
      if (!has) return { status: 'failed', problem }
      status = 'stale'
    } else if (!has && loadable.status === 'pending') status = 'loading'
    else if (loadable.status === 'stale' && status === 'ready') status = 'stale'
  }
  return { status, problem }
}

function sameProps(a: Record<string, unknown>, b: Record<string, unknown>, names: CompiledNode['moving']): boolean {
  for (const [name] of names) if (!same(a[name], b[name])) return false
  return true
}

/** Equal by reference, or one level of equal members: a prop built from parts is a fresh object each time. */
export function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false
    for (let i = 0; i < a.length; i++) if (!Object.is(a[i], b[i])) return false
    return true
  }
  if (Array.isArray(b)) return false
  const left = a as Record<string, unknown>
  const right = b as Record<string, unknown>
  const names = Object.keys(left)
  return names.length === Object.keys(right).length && names.every((n) => Object.is(left[n], right[n]))
}

/**
 * Node and scope in, what to show out. Pure. Guards read what is true now, props what is drawn meanwhile.
 * @param before the last answer; returned again when nothing changed
 * @param watcher hears of a guard that is closed because its inputs are missing, and of what a limit has stopped
 */
export function resolve(
  node: CompiledNode,
  scope: Scope,
  say: Say,
  statusOf: StatusOf,
  before?: Resolved,
  watcher?: { onClosed(what: 'show' | 'enable', missing: readonly string[]): void; onStopped(what: string, reason: StopReason): void },
): Resolved {
  if (node.show) {
    const gate = guard(node.show, scope)
    if (gate.missing.length) watcher?.onClosed('show', gate.missing)
    if (gate.stopped) {
      watcher?.onStopped('show', gate.stopped)
      return halted(gate.stopped, before)
    }
    if (!gate.open) return hidden
  }
  let enabled = true
  if (node.enable) {
    const gate = guard(node.enable, scope)
    if (gate.missing.length) watcher?.onClosed('enable', gate.missing)
    if (gate.stopped) watcher?.onStopped('enable', gate.stopped)
    enabled = gate.open
  }
  const { status, problem } = node.sources.length > 0 ? stateOf(node.sources, statusOf) : ready
  let props = node.fixed
  let lacks = false
  const whole = before?.stopped === undefined ? before : undefined
  if (node.moving.length) {
    const next: Record<string, unknown> = { ...node.fixed }
    const drawn = drawnOf(scope)
    let stopped = undefined as StopReason | undefined
    let reading = ''
    const stop = (reason: StopReason) => {
      stopped = reason
      watcher?.onStopped(reading, reason)
    }
    for (const [name, value, part] of node.moving) {
      reading = name
      const now = value.read(drawn, say, stop)
      // The same value was judged before.
      next[name] = whole?.shown && Object.is(now, whole.props[name]) ? now : given(now, part)
      if (part?.needed && next[name] === undefined) lacks = true
    }
    if (stopped !== undefined) return halted(stopped, before)
    props = whole?.shown && sameProps(whole.props, next, node.moving) ? whole.props : next
  }
  if (whole?.shown && whole.enabled === enabled && whole.status === status && whole.problem === problem && whole.props === props)
    return whole
  return { shown: true, enabled, status, problem, props, lacks }
}
