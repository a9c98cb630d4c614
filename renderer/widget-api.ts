/**
 * The only file of the engine that a widget may import. All other files may change.
 */
import type { ComponentType } from 'react'
import type * as z from 'zod'
import type { SlotRule, StateRules, Widget } from '#renderer/core/registry.ts'
import type { View, ViewProps } from '#renderer/react/view.ts'

export { localMs, writtenClock, writtenDate } from '#renderer/core/format.ts'
export type { SlotRule, StateRules, Widget } from '#renderer/core/registry.ts'
export type { PageSummary, PagesLook } from '#renderer/react/forms/FormPages.tsx'
export type { FormButtonProps, FormButtonsProps, FormViewProps } from '#renderer/react/forms/FormView.tsx'
export type { FieldGiven, FieldHandle, FieldProblem, NativeField } from '#renderer/react/forms/field.ts'
export { useField } from '#renderer/react/forms/field.ts'
export type { RowsHandle } from '#renderer/react/forms/rows.tsx'
export {
  type DeviceValues,
  useBack,
  useCall,
  useClock,
  useDevice,
  useIsBeside,
  useSheet,
  useUnsent,
  useUpload,
} from '#renderer/react/hooks/host.ts'
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
export { useLayer } from '#renderer/react/hooks/useLayer.ts'
export { useEngineText, useFormat, useLanguage } from '#renderer/react/hooks/useText.ts'
export { useWide } from '#renderer/react/hooks/useWide.ts'
export { lazyComponent as lazy, lazyView } from '#renderer/react/lazyComponent.tsx'
export { unsized } from '#renderer/react/StandIn.tsx'
export type { NodeStatus, RootProps, SlotHandle, View, ViewProps } from '#renderer/react/view.ts'

/** Loads the component that draws forms. It comes with the first form, and brings zod and react-hook-form. */
export const loadFormView = async () => (await import('#renderer/react/forms/FormView.tsx')).FormView

/** Loads the hook of fields with rows. It comes with the first of them. */
export const loadUseRows = async () => (await import('#renderer/react/forms/rows.tsx')).useRows

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
