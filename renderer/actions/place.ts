import type { ScreenDoc } from '#language/documents/documents.ts'
import type { ScreenData } from '#renderer/data/data.ts'
import type { ScreenStore } from '#renderer/engine/store.ts'
import type { Engine } from '#renderer/engine/types.ts'
import type { OpenForm } from '#renderer/forms/store-forms.ts'

/** Where an action runs. */
export interface ActionPlace {
  engine: Engine
  /** Absent outside of forms. */
  form?: OpenForm | undefined
  store: ScreenStore
  data: ScreenData
  screen: Pick<ScreenDoc, 'id' | 'errors' | 'data'>
  /** The steps are the `enter` steps of a screen; `mayMove` is false when those that move are left out. */
  entry?: { mayMove: boolean } | undefined
  /** The steps follow an answer, the `depth`-th in a row to which such steps led. Nobody pressed anything. */
  source?: { depth: number } | undefined
}

export type Result = 'done' | 'refused' | 'failed'
