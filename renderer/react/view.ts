import type { ComponentType, ReactNode } from 'react'

/** Types that the engine and the view of a widget share. */

/** Attributes that a view spreads on its outermost element, so that the node can be found: data-node, data-key in rows. */
export interface RootProps {
  'data-node': string
  'data-key'?: string
  /** The drawn data answers an earlier question; the answer to the present one is still loading. */
  'data-stale'?: ''
  'aria-busy'?: true
}

/** Children that stand in a slot. A windowed list asks for rows one by one; others take them all. */
export interface SlotHandle {
  readonly count: number
  /** Stable over reloads: the value of the repeat's key, or the node id. */
  keyAt(index: number): string
  render(index: number): ReactNode
  all(): ReactNode
}

export type NodeStatus = 'ready' | 'loading' | 'stale' | 'failed'

/** The props of a view. `emit` runs the node's action of that name with the value as `event`. */
export interface ViewProps<P = Record<string, unknown>, E extends string = string, S extends string = string> {
  root: RootProps
  props: P
  emit: (event: E, value?: unknown) => void
  /** Whether the document gives the event an action; a view may be a plain thing where nothing would happen. */
  listens?: (event: E) => boolean
  /** True while an action that this node started is running. */
  busy: boolean
  enabled: boolean
  status: NodeStatus
  /** Loads the sources again that the node's props read. */
  retry: () => void
  slots: Record<S, SlotHandle>
}

export type View = ComponentType<ViewProps<never, never, never>>
