import { Component, type ReactNode } from 'react'
import type { Standing } from '#renderer/core/model.ts'
import { tooMuchData } from '#renderer/core/resolve.ts'
import type { ScreenHandle } from '#renderer/react/context.ts'
import { type NodePart, type NodeProps, partOf, standsFor } from '#renderer/react/nodePart.ts'
import { aged, BrokenNode, climbs, MissingWidget, StandIn, staleRoot, standInFor, tellBroken } from '#renderer/react/StandIn.tsx'
import { keptSlots } from '#renderer/react/slots.tsx'
import type { View } from '#renderer/react/view.ts'

/** `broken` is set when something inside threw. */
type State = { part: NodePart; broken: { error: unknown } | undefined }

/**
 * Resolves one node and draws it behind its own wall. It renders again only when what it shows has changed. Wall and subscription are one
 * component, because each row of a list pays for every component that it stands in.
 */
export class NodeView extends Component<NodeProps, State> {
  override state: State = { part: partOf(this.props), broken: undefined }
  private off: (() => void) | undefined

  /** Another revision of the document is another part, and a new chance. */
  static getDerivedStateFromProps = (props: NodeProps, { part }: State): State | null =>
    standsFor(part, props) ? null : { part: partOf(props), broken: undefined }
  static getDerivedStateFromError = (error: unknown): Partial<State> => ({ broken: { error } })
  override shouldComponentUpdate(_props: NodeProps, next: State): boolean {
    return next !== this.state
  }
  override componentDidMount(): void {
    this.off?.()
    this.off = this.state.part.model.subscribe(() => this.forceUpdate())
  }
  override componentWillUnmount(): void {
    this.off?.()
  }
  override componentDidUpdate(_props: NodeProps, { part }: State): void {
    if (part !== this.state.part) this.componentDidMount()
  }
  override componentDidCatch(error: unknown): void {
    tellBroken(this.props, error)
  }

  override render(): ReactNode {
    const { part, broken } = this.state
    const { node, scope, screen, root, emit, listens, retry, model } = part
    const { shown, rows, status, problem, props, busy, enabled } = model.getSnapshot()
    if (!shown) return null
    if (broken) return this.stand(broken.error)
    const View = node.widget?.view
    if (!View) return <MissingWidget widget={node.ref} />
    const standIn = standInFor(node, model.getSnapshot())
    const own = standIn && node.states[standIn]
    const given = { root: status === 'stale' && !problem ? staleRoot(root) : root, emit, listens, retry, busy, enabled, status }
    const draw = (other: typeof node) => <NodeView node={other} scope={scope} screen={screen} />
    const drawn = own ? (
      draw(own)
    ) : standIn ? (
      <StandIn kind={standIn} root={root} problem={problem} retry={retry} />
    ) : (
      <View {...given} props={props as never} slots={keptSlots(part, rows, drawNode) as never} />
    )
    return aged(node, drawn, status === 'stale', problem && retry, draw)
  }

  private stand(error: unknown): ReactNode {
    const { node, scope, screen, root } = this.state.part
    if (!screen.engine.exposes) {
      if (climbs(node, error)) throw error
      if (node.fallback === 'drop') return null
      if (node.fallback) return <NodeView node={node.fallback} scope={scope} screen={screen} />
    }
    return <BrokenNode root={root} widget={node.ref} error={error} retry={() => this.setState({ broken: undefined })} />
  }
}

/** Draws one child of a slot or of a screen's body. */
export function drawNode({ node, scope, key, row, stopped }: Standing<View>, screen: ScreenHandle) {
  if (stopped) return <StandIn key={key} kind="error" root={{ 'data-node': node.id }} problem={tooMuchData} />
  return <NodeView key={key} node={node} scope={scope} screen={screen} rowKey={row ? key : undefined} />
}
