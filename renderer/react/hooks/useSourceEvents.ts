import { useEffect, useMemo } from 'react'
import { act } from '#renderer/actions/act.ts'
import type { ActionPlace } from '#renderer/actions/place.ts'
import type { CompiledScreen } from '#renderer/core/compile.ts'
import { eventOf, type Heard } from '#renderer/data/data-events.ts'
import type { Engine } from '#renderer/engine/types.ts'
import type { ScreenHandle } from '#renderer/react/context.ts'
import type { View } from '#renderer/react/view.ts'

/** Returns the place in which an action of the screen itself runs, when nobody pressed anything. */
export function screenPlace({ engine, store, data, screen }: ScreenHandle, more: Pick<ActionPlace, 'entry' | 'source'>): ActionPlace {
  return {
    engine,
    store,
    data,
    screen,
    ...more,
    get form() {
      return store.form
    },
  }
}

/** Whether the steps of the screen itself may lead to another one as soon as it is entered. */
export const hasLoaded = ({ sources }: CompiledScreen<View>): boolean => sources.some(({ doc }) => doc.on?.loaded !== undefined)

/**
 * Runs the steps that follow answers, for as long as the visit lasts. Answers that arrive after the customer has left run none.
 * @param entry of the visit: a circle of screens whose answers lead to each other is found as one of `enter` is
 */
export function useSourceEvents(
  { screen, handle }: { screen: CompiledScreen<View>; handle: ScreenHandle },
  engine: Engine<View>,
  visit: string | undefined,
  entry: () => ActionPlace['entry'],
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: each visit hears anew, whatever revisions of the document come
  const mine = useMemo(() => ({ heard: new Map() as Heard, number: engine.visit() }), [handle.store, engine, visit])
  useEffect(() => {
    if (!screen.sources.some(({ doc }) => doc.on)) return
    return handle.data.listen((answer) => {
      const event = engine.visit() === mine.number ? eventOf(mine.heard, answer) : undefined
      if (!event) return
      const place = screenPlace(handle, { source: { depth: event.depth + 1 }, entry: event.name === 'loaded' ? entry() : undefined })
      void act(event.steps, handle.store, event.before, place)
    })
  }, [screen, handle, engine, mine, entry])
}
