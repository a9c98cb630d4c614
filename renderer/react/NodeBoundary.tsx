import { Component, type ReactNode } from 'react'

interface Props {
  /** A new one (another revision of the document) gets a new chance. */
  subject: unknown
  /** Drawn in place of the broken node; undefined passes the error to the next boundary. */
  stand: ((retry: () => void, error: unknown) => ReactNode) | undefined
  onBroken: (error: unknown) => void
  children: ReactNode
}
interface State {
  error: unknown
  broken: boolean
  subject: unknown
}

/** The error boundary around each node: its errors stay inside. */
export class NodeBoundary extends Component<Props, State> {
  override state: State = { error: undefined, broken: false, subject: this.props.subject }

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error, broken: true }
  }

  static getDerivedStateFromProps(props: Props, state: State): Partial<State> | null {
    return props.subject === state.subject ? null : { subject: props.subject, broken: false, error: undefined }
  }

  override componentDidCatch(error: unknown): void {
    this.props.onBroken(error)
  }

  private readonly retry = (): void => this.setState({ broken: false, error: undefined })

  override render(): ReactNode {
    if (!this.state.broken) return this.props.children
    if (!this.props.stand) throw this.state.error
    return this.props.stand(this.retry, this.state.error)
  }
}
