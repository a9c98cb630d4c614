import { Component, type ReactNode } from 'react'
import { act } from '#renderer/actions/act.ts'
import type { ActionPlace } from '#renderer/actions/place.ts'
import { tooMuchData } from '#renderer/core/resolve.ts'
import { FieldContext } from '#renderer/react/forms/field.ts'
import type { FieldPart } from '#renderer/react/forms/formPart.ts'
import { BrokenNode, MissingWidget, StandIn, staleRoot } from '#renderer/react/StandIn.tsx'
import type { View, ViewProps } from '#renderer/react/view.ts'

interface Props {
  part: FieldPart
  /** The loaded view of the field's widget; undefined for a type that this build does not have. */
  view: View | undefined
  /** Runs actions inside of the form. */
  place: () => ActionPlace & { throttleMs: number }
}

/** `broken` is set when the widget threw. */
type State = { broken: { error: unknown } | undefined }

const nothing = () => undefined
const noSlots = {}

/** Draws one field in its own error boundary, again only when something of it to draw has changed. */
export class FieldView extends Component<Props, State> {
  override state: State = { broken: undefined }
  private off: (() => void) | undefined
  private stopReported = false
  private readonly root: ViewProps['root'] = { 'data-node': this.props.part.handle().id }
  /** The looks that stand on the page. */
  private drawn: unknown
  private pressedAt = Number.NEGATIVE_INFINITY

  static getDerivedStateFromError = (error: unknown): State => ({ broken: { error } })
  override shouldComponentUpdate(props: Props, state: State): boolean {
    return state !== this.state || props.view !== this.props.view || props.part !== this.props.part
  }
  override componentDidMount(): void {
    const { field } = this.props.part
    this.off = field.subscribe(() => this.forceUpdate())
    if (field.getSnapshot() !== this.drawn) this.forceUpdate()
    this.tellStopped()
  }
  /** Another revision of the form goes on in the same control. */
  override componentDidUpdate({ part }: Props): void {
    this.tellStopped()
    if (part === this.props.part) return
    this.off?.()
    this.componentDidMount()
  }
  override componentWillUnmount(): void {
    this.off?.()
  }
  override componentDidCatch(error: unknown): void {
    const { engine, screen } = this.props.place()
    const { name, doc } = this.props.part.field.field
    engine.bus.emit('node-broken', { screen: screen.id, node: name, widget: doc.widget, reason: String(error) })
  }

  /** Tells once of a limit that stands in the way of this field. */
  private tellStopped(): void {
    const { field } = this.props.part
    const reason = field.getSnapshot().stopped
    if (reason === undefined || this.stopReported) return
    this.stopReported = true
    const { engine, screen } = this.props.place()
    engine.bus.emit('node-stopped', { screen: screen.id, node: field.field.name, what: 'field', reason })
  }

  override render(): ReactNode {
    const { part, view: View } = this.props
    const { field } = part
    const shot = field.getSnapshot()
    this.drawn = shot
    if (!shot.shown) return null
    if (this.state.broken)
      return <BrokenNode root={this.root} widget={field.field.doc.widget} error={this.state.broken.error} retry={this.retry} />
    return (
      <FieldContext value={part.handle()}>
        {shot.stopped ? (
          <StandIn kind="error" root={this.root} problem={tooMuchData} />
        ) : View ? (
          <View
            root={shot.stale ? staleRoot(this.root) : this.root}
            props={shot.props as never}
            emit={this.emit}
            listens={this.listens}
            busy={shot.busy}
            enabled={shot.enabled}
            status="ready"
            retry={nothing}
            slots={noSlots as never}
          />
        ) : (
          <MissingWidget widget={field.field.doc.widget} />
        )}
      </FieldContext>
    )
  }

  private readonly retry = (): void => this.setState({ broken: undefined })
  private readonly listens = (event: string): boolean => Object.hasOwn(this.props.part.field.field.on, event)
  private readonly emit = (event: string, value?: unknown): void => {
    const { field } = this.props.part
    const steps = Object.hasOwn(field.field.on, event) ? field.field.on[event] : undefined
    const place = this.props.place()
    const { busy, enabled } = field.getSnapshot()
    if (!steps || busy || !enabled || performance.now() - this.pressedAt < place.throttleMs) return
    this.pressedAt = performance.now()
    field.setBusy(true)
    void act(steps, field.form, value, place).finally(() => field.setBusy(false))
  }
}
