import type { Did, GroupedWork, NamedKey } from '#api-server/idempotency/idempotency.ts'
import type { KeyStore, NewKey } from '#api-server/idempotency/keys.store.ts'
import type { Database, Tx } from '#server-kit/db/db.ts'

/** A call of a group. */
export interface Member<W> {
  /** Undefined for a caller without a key. */
  row: NewKey | undefined
  admit: (() => void) | undefined
  work: W
}
/** `behind`: the key is taken already. `failed`: the call was not committed, or nobody knows whether it was. */
export type MemberOutcome<E> = { answer: string; effect: E | undefined } | { refused: unknown } | { failed: unknown } | 'behind'

interface GroupDeps {
  database: Database
  store: KeyStore
  textOf: (value: unknown) => string
}

const nameOf = ({ owner, key }: NamedKey) => `${owner} ${key}`

/** Refuses what the caller may not do now; the work of others goes on. */
function admitted(admit: (() => void) | undefined): { refused: unknown } | undefined {
  try {
    admit?.()
    return undefined
  } catch (refused) {
    return { refused }
  }
}

/**
 * Does the work of several calls in one transaction, which also takes their keys and stores their answers. The order is that of a single call: the
 * keys are locked, the work is done, the keys are taken last.
 */
export async function runTogether<W, R, A, E>(
  { database, store, textOf }: GroupDeps,
  { look, act }: GroupedWork<W, R, A, E>,
  members: readonly Member<W>[],
): Promise<MemberOutcome<E>[]> {
  const rows = members.flatMap(({ row }) => row ?? [])
  return database.transaction(async (tx) => {
    // Sent at once, and done in this order.
    const [, taken, looked] = await Promise.all([
      store.turn(tx, rows),
      store.taken(tx, rows),
      look(
        tx,
        members.map(({ work }) => work),
        true,
      ),
    ])
    const names = new Set(taken.map(nameOf))
    const outcomes = members.map(({ row, admit }) => (row && names.has(nameOf(row)) ? ('behind' as const) : admitted(admit)))
    const fresh = members.filter((_, at) => outcomes[at] === undefined)
    const { outcomes: acted, written } = act(
      tx,
      fresh.map(({ work, row }) => ({ work, key: row && { owner: row.owner, key: row.key } })),
      looked,
    )
    const texts = acted.map((outcome) => ('refused' in outcome ? outcome : { answer: textOf(outcome.answer) }))
    const keys = fresh.flatMap(({ row }, at) => {
      const text = texts[at]!
      return row && 'answer' in text ? [{ ...row, ...text }] : []
    })
    const [effects] = await Promise.all([written, store.takeAnswered(tx, keys)])
    const next = texts.map((text, at) => ('answer' in text ? { answer: text.answer, effect: effects[at] } : text)).values()
    return outcomes.map((outcome): MemberOutcome<E> => outcome ?? next.next().value!)
  })
}

/** The work of one call, as a group of one; its refusal undoes the transaction. */
export const workOfOne =
  <W, R, A, E>({ look, act }: GroupedWork<W, R, A, E>, { work, row, admit }: Member<W>) =>
  async (tx: Tx): Promise<Did<A, E>> => {
    admit?.()
    const { outcomes, written } = act(tx, [{ work, key: row && { owner: row.owner, key: row.key } }], await look(tx, [work], false))
    const [effect] = await written
    const [outcome] = outcomes
    if ('refused' in outcome!) throw outcome.refused
    return { answer: outcome!.answer, effect }
  }
