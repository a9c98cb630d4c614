/** The moves between the states of a row: the rules of a module and the database both come from one table, see server-kit/db/state-guard.ts. */
export interface Machine<State extends string, Action extends string> {
  readonly states: readonly State[]
  /** Every pair of states that one action at least connects; a pair of a state with itself allows changes that keep the state. */
  readonly moves: readonly (readonly [from: State, to: State])[]
  /** The state after an action; undefined when the action is not allowed. */
  next(state: State, action: Action): State | undefined
  allows(from: State, to: State): boolean
  /** Whether the state is final: nothing leads out of it, and nothing keeps it. */
  isEnd(state: State): boolean
}
export type StateOf<M> = M extends Machine<infer State, string> ? State : never
export type ActionOf<M> = M extends Machine<string, infer Action> ? Action : never

/**
 * Makes a machine from its table, which names every state and, for each, the actions that are allowed and where they lead:
 * `machine({ open: { close: 'closed' }, closed: {} })`.
 */
export function machine<State extends string, Action extends string>(
  table: Record<State, Partial<Record<Action, NoInfer<State>>>>,
): Machine<State, Action> {
  const states = Object.keys(table) as State[]
  const targets = new Map(states.map((from) => [from, new Set(Object.values<State>(table[from] as Record<Action, State>))]))
  return {
    states,
    moves: states.flatMap((from) => [...targets.get(from)!].map((to) => [from, to] as const)),
    next: (state, action) => table[state]?.[action],
    allows: (from, to) => targets.get(from)?.has(to) ?? false,
    isEnd: (state) => !targets.get(state)?.size,
  }
}
