/**
 * The one door through which a widget sees the engine. Everything behind it may move.
 */
import type { ComponentType, ReactNode } from 'react'
import type * as z from 'zod'
import type { SlotRule, StateRules, Widget } from '#renderer/core/registry.ts'

export type { SlotRule, StateRules, Widget } from '#renderer/core/registry.ts'
export type { FormButtonProps, FormViewProps } from '#renderer/react/forms/FormView.tsx'
export type { FieldHandle, FieldProblem, NativeField } from '#renderer/react/forms/field.ts'
export { useBack } from '#renderer/react/hooks/useBack.ts'
export { useCall } from '#renderer/react/hooks/useCall.ts'
export { useClock } from '#renderer/react/hooks/useClock.ts'
export { type DeviceValues, useDevice } from '#renderer/react/hooks/useDevice.ts'
export { type ShownEntry, useEntries } from '#renderer/react/hooks/useEntries.ts'
export {
  type FeedHealth,
  useCandle,
  useDepth,
  useFeedHealth,
  useQuote,
  useQuoteAge,
  useQuoteReader,
  useQuotes,
  useTrades,
} from '#renderer/react/hooks/useFeed.ts'
export { useField } from '#renderer/react/hooks/useField.ts'
export { useSheet } from '#renderer/react/hooks/useSheet.ts'
export { useEngineText, useFormat, useLanguage } from '#renderer/react/hooks/useText.ts'
export { useUpload } from '#renderer/react/hooks/useUpload.ts'
export { lazy } from '#renderer/react/lazy.ts'
export { lazyView } from '#renderer/react/lazyView.tsx'

/** What draws forms. It comes with the first form, and brings zod and react-hook-form. */
export const loadFormView = async () => (await import('#renderer/react/forms/FormView.tsx')).FormView

/** Attributes that a view spreads on its outermost element, so that the node can be found: data-node, data-key in rows. */
export interface RootProps {
  'data-node': string
  'data-key'?: string
  /** What is drawn answers an earlier question; the present one is on its way. */
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

/** What a view gets. `emit` runs the node's action of that name with the value as `event`. */
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

interface Passport<P extends z.ZodType, E extends string, S extends string> {
  type: string
  major?: number
  props: P
  events?: readonly E[]
  slots?: Record<S, SlotRule>
  label?: (keyof z.output<P> & string) | null
  states?: Partial<StateRules>
  view: ComponentType<ViewProps<z.output<P>, E, S>>
}

/** Checks a passport against its view and fills in what most widgets do: skeleton, error card, no badge. */
export function defineWidget<P extends z.ZodType, E extends string = never, S extends string = never>(
  passport: Passport<P, E, S>,
): Widget<View, P> {
  return {
    type: passport.type,
    major: passport.major ?? 1,
    props: passport.props,
    events: passport.events ?? [],
    slots: passport.slots ?? {},
    label: passport.label ?? null,
    states: { loading: 'skeleton', error: 'card', stale: 'none', ...passport.states },
    view: passport.view as unknown as View,
  }
}
