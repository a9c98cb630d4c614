/**
 * The description of a widget that the engine needs. `View` is the type of the adapter's views; core never looks inside.
 */
export interface SlotRule {
  /** Types that may stand in it; absent: any. */
  allow?: readonly string[]
  min?: number
  max?: number
}

/**
 * How a widget behaves while the sources that its props read are not ready.
 * `self`: the view gets `status` and draws it. `skeleton`, `card`, `badge`: the engine draws it. `none`: nothing is drawn.
 */
export interface StateRules {
  loading: 'self' | 'skeleton' | 'none'
  error: 'self' | 'card' | 'none'
  /** Name of the list prop whose emptiness is the empty state, with who draws it. */
  empty?: { prop: string; by: 'self' | 'engine' }
  stale: 'self' | 'badge' | 'none'
  /** Required lists and objects that the view itself is drawn without. For all others that are absent the engine stands in. */
  without?: readonly string[]
}

export interface Widget<View = unknown, Props = unknown> {
  readonly type: string
  readonly major: number
  /** zod in Node and tests; in the app's own build an outline of it (`zod-stub.ts`), because the publisher has checked the rest. */
  readonly props: Props
  readonly events: readonly string[]
  readonly slots: Readonly<Record<string, SlotRule>>
  /** Prop that names the control to assistive technology; null where the widget is not a control. */
  readonly label: string | null
  readonly states: StateRules
  readonly view: View
}

export interface Registry<View = unknown> {
  /** `type` or `type@major`; undefined for what this build does not have. */
  find(ref: string): Widget<View> | undefined
  readonly list: readonly Widget<View>[]
}

/** @throws when a type is named twice: a clash stops the start, not a customer. */
export function createRegistry<View>(list: readonly Widget<View>[]): Registry<View> {
  const byType = new Map<string, Widget<View>>()
  for (const widget of list) {
    if (byType.has(widget.type)) throw new Error(`widget ${widget.type} is registered twice`)
    byType.set(widget.type, widget)
  }
  return {
    list,
    find(ref) {
      const [type = '', major] = ref.split('@')
      const widget = byType.get(type)
      return widget && (major === undefined || Number(major) === widget.major) ? widget : undefined
    },
  }
}
