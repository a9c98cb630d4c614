import { type ReactNode, useEffect } from 'react'
import type { CompiledNode } from '#renderer/core/compile.ts'
import type { Shot } from '#renderer/core/model.ts'
import { tooMuchData } from '#renderer/core/resolve.ts'
import { useEngine } from '#renderer/react/context.ts'
import type { NodeProps } from '#renderer/react/nodePart.ts'
import type { RootProps, View } from '#renderer/react/view.ts'

type StandInKind = 'loading' | 'error' | 'empty' | 'nothing'

/**
 * Which of the four states stands in place of the view, if any; the passport says who draws it. A view is never drawn without a list or an
 * object that it requires.
 */
export function standInFor(node: CompiledNode<View>, shot: Shot): StandInKind | undefined {
  if (shot.stopped) return 'error'
  const rules = node.widget?.states
  if (!rules) return undefined
  const { status, lacks } = shot
  if (status === 'loading' && (rules.loading !== 'self' || node.states.loading || lacks))
    return rules.loading === 'none' ? 'nothing' : 'loading'
  if (status === 'failed' && (rules.error !== 'self' || node.states.error || lacks)) return rules.error === 'none' ? 'nothing' : 'error'
  if (lacks) return rules.loading === 'none' ? 'nothing' : 'empty'
  if (shot.status === 'ready' && rules.empty && (rules.empty.by === 'engine' || node.states.empty)) {
    const list = shot.props[rules.empty.prop]
    if (Array.isArray(list) && list.length === 0) return 'empty'
  }
  return undefined
}

/** How the skeleton of a view looks: what it knows of its height before its code is here. The props of the widget `skeleton`. */
export type Bones = Readonly<Record<string, unknown>>

/** For a view whose height nobody knows before it is here, as that of a form: what follows is drawn with it, so that nothing moves when it comes. */
export const unsized: Bones = { shape: 'unsized' }

interface Props {
  kind: StandInKind
  bones?: Bones | undefined
  root: RootProps
  problem?: Shot['problem']
  retry?: () => void
}

const widgetFor = { loading: 'skeleton', error: 'error', empty: 'empty' } as const

/** The registered skeleton, error or empty widget, where the document names no node of its own for the state. */
export function StandIn({ kind, bones = {}, root, problem, retry }: Props) {
  const engine = useEngine()
  if (kind === 'nothing') return null
  const Widget = engine.registry.find(widgetFor[kind])?.view
  if (!Widget) return <div {...root} />
  const props =
    kind === 'error'
      ? {
          text: (problem?.name === tooMuchData.name ? engine.say('problem.too_much_data') : problem?.msg) || undefined,
          code: problem?.name,
        }
      : kind === 'empty'
        ? { title: engine.say('engine.empty') }
        : bones
  return (
    <Widget
      root={root}
      props={props as never}
      emit={() => retry?.()}
      busy={false}
      enabled
      status="ready"
      retry={() => retry?.()}
      slots={{} as never}
    />
  )
}

const staleRoots = new WeakMap<RootProps, RootProps>()

/** Attributes of a node that is drawn from the answer to other arguments, while the answer to the present ones is on its way. */
export function staleRoot(root: RootProps): RootProps {
  let stale = staleRoots.get(root)
  if (!stale) staleRoots.set(root, (stale = { ...root, 'data-stale': '', 'aria-busy': true }))
  return stale
}

/**
 * Old data stays in sight, with the document's own node for it, or a mark: where loading it again failed, the mark loads once more. A
 * marked node keeps its place, and with it its focus and its scrolling.
 */
export function aged(
  node: CompiledNode<View>,
  body: ReactNode,
  isStale: boolean,
  retry: (() => void) | undefined,
  draw: (own: CompiledNode<View>) => ReactNode,
): ReactNode {
  const own = node.states.stale
  if (!own && node.widget?.states.stale !== 'badge') return body
  return (
    <>
      {!isStale ? null : own ? draw(own) : retry ? <StaleMark retry={retry} /> : <WaitMark />}
      {body}
    </>
  )
}

function StaleMark({ retry }: { retry: () => void }) {
  const { say } = useEngine()
  return (
    <button type="button" className="stale-mark" onClick={retry}>
      {say('engine.stale')}
    </button>
  )
}

/** Says over the old data that the present one is on its way; it takes no room, because it is gone in a moment. */
function WaitMark() {
  const { say } = useEngine()
  return (
    <p className="wait-mark" role="status">
      <span>{say('engine.loading')}</span>
    </p>
  )
}

const framesShown = 6
/** React takes changed code over some 16 ms after Vite has announced it. */
const refreshedMs = 100

/**
 * The exception and where it was thrown, without the frames of packages. Nothing where exceptions are not shown.
 * @param retry called after each change of the code: it may have been mended
 */
export function Exception({ error, retry }: { error: unknown; retry?: (() => void) | undefined }) {
  const { exposes } = useEngine()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const later = () => {
      timer = setTimeout(() => retry?.(), refreshedMs)
    }
    const { hot } = import.meta
    // The module that Vitest gives has no `off`, and no updates come to it.
    if (!exposes || !hot || !('off' in hot)) return
    hot.on('vite:afterUpdate', later)
    return () => {
      clearTimeout(timer)
      hot.off('vite:afterUpdate', later)
    }
  }, [exposes, retry])
  if (!import.meta.env.DEV || !exposes) return null
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const frames = stack.split('\n').filter((line) => /:\d+:\d+\)?$/.test(line) && !line.includes('node_modules'))
  return <pre className="exception">{[String(error), ...frames.slice(0, framesShown)].join('\n')}</pre>
}

/** An honest, quiet card where a node broke. Its name stands in an attribute, for testers and the inspector. */
export function BrokenNode({ root, widget, error, retry }: { root: RootProps; widget: string; error: unknown; retry: () => void }) {
  const { say } = useEngine()
  return (
    <div {...root} className="broken" data-broken={widget}>
      <p>{say('engine.broken_title')}</p>
      <Exception error={error} retry={retry} />
      <button type="button" onClick={retry}>
        {say('engine.retry')}
      </button>
    </div>
  )
}

/** Reaches the nearest error boundary that can stand in for a type that this build does not have. */
export function MissingWidget({ widget }: { widget: string }): never {
  throw new Error(`no widget ${widget} in this build`)
}

/** The errors that critical nodes threw: no error boundary below the screen's own may hide that such a node is gone. */
const critical = new WeakSet<object>()

/**
 * Whether the wall around a node lets go of what broke inside. An error without a fallback of the node's own climbs to the nearest fallback
 * around it; that of a critical node climbs past all of them, and the whole screen goes back to what worked.
 */
export function climbs(node: CompiledNode<View>, error: unknown): boolean {
  const reported = typeof error === 'object' && error !== null
  if (reported && node.critical && !node.fallback) critical.add(error)
  return reported && critical.has(error) ? true : node.sheltered && !node.fallback
}

export function tellBroken({ node, screen }: NodeProps, error: unknown): void {
  const stands = node.fallback !== undefined
  screen.engine.bus.emit('node-broken', { screen: screen.screen.id, node: node.id, widget: node.ref, reason: String(error), stands })
}
