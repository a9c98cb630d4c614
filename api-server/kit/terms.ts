import type { Selectable } from 'kysely'
import type * as z from 'zod'
import type { Decision, OfficeHandlers, OfficePorts } from '#api-server/kit/decision.ts'
import {
  defineProposal,
  type OpenProposals,
  type ProposalActions,
  type ProposalDone,
  type ShownProposal,
} from '#api-server/kit/proposals.ts'
import { readTerms, type TermChange, type TermField, type TermUnits, termChanges, typedTerms } from '#api-server/kit/terms.rules.ts'
import { ApiProblem } from '#contract/problem.ts'
import { type Database, type Tables, type Tx, takeTurnIn, write } from '#server-kit/db/db.ts'
import type { Operator, OperatorCaller } from '#server-kit/http/http.ts'

/**
 * Versioned terms of products. A product needs a schema, a table of members (how each is typed, shown and read), and labels; the kit gives the versions,
 * changes that two administrators agree to, and the pages of operators. An order keeps the version that it was made by.
 */

/** Terms of one key, as a version stores them. */
export interface StoredTerms<T> {
  product: string
  key: string
  version: number
  terms: T
  /** Names of the operators who changed it; empty for the first version of a new platform. */
  changed_by: string
  /** ms UTC */
  at: number
}
type Row = Selectable<Tables['terms']>

interface TermsDefinition<T extends object> {
  /** Part of the subject in the log: `dual` for dual:7. */
  product: string
  /** Subject in the log; by default product and key. */
  subject?(key: string): string
  /** Prefix of the actions in the log; `terms` by default. */
  actions?: ProposalActions
  schema: z.ZodObject & z.ZodType<T>
  fields: { readonly [Member in keyof T & string]: TermField }
  /** Checks members against each other. @param at ms UTC @returns the first member that is wrong */
  check?(terms: T, before: T | undefined, at: number): (keyof T & string) | undefined
  /** Key of new terms; without it, operators only change terms that are there. */
  newKey?(tx: Tx, terms: T): Promise<string>
}

interface TermsContext<T> {
  /** Units of the members by name, see TermField. */
  units?(key: string, terms: T): TermUnits
  /** Writes the product's own rows in the transaction in which a version begins to count. @throws ApiProblem to refuse it */
  agreed?(decision: Decision, change: Omit<StoredTerms<T>, 'product' | 'at'>): Promise<unknown>
  /** After the commit of a change, on this node. */
  told?(key: string): void | Promise<void>
}

/** Answer about one set of terms, for the back office. */
interface ShownTerms {
  product: string
  key: string
  version: number
  changed_by: string
  changed: number
  terms: { name: string; value: string; shown: string }[]
  proposal: ShownProposal | null
  versions: ShownVersion[]
}
export interface ShownVersion extends TermChange {
  key: string
  version: number
  by: string
  time: number
}

/** Changes of each version, newest first; the first version has one row without a name. */
export function shownVersions<T extends { version: number; changed_by: string; at: number }>(
  history: readonly T[],
  changesOf: (before: T, after: T) => TermChange[],
): ShownVersion[] {
  return history.flatMap((row, place) => {
    const about = { version: row.version, by: row.changed_by, time: row.at }
    const before = history[place + 1]
    if (!before) return [{ key: String(row.version), ...about, name: '', value: '', shown: '', before: '' }]
    return changesOf(before, row).map((change) => ({ key: `${row.version} ${change.name}`, ...about, ...change }))
  })
}

/** All versions of terms. */
export function createTermsStore({ db }: Database) {
  const ofKey = (product: string, key: string, tx?: Tx) =>
    (tx ?? db).selectFrom('terms').selectAll().where('product', '=', product).where('key', '=', key).orderBy('version', 'desc')
  return {
    /** The version that counts. */
    last: (product: string, key: string, tx?: Tx): Promise<Row | undefined> => ofKey(product, key, tx).limit(1).executeTakeFirst(),
    /** Newest first. */
    history: (product: string, key: string): Promise<Row[]> => ofKey(product, key).execute(),
    /** The versions that count, of all keys of some products. */
    current: (products: readonly string[], tx?: Tx): Promise<Row[]> =>
      (tx ?? db)
        .selectFrom('terms')
        .distinctOn(['product', 'key'])
        .selectAll()
        .where('product', 'in', products)
        .orderBy('product')
        .orderBy('key')
        .orderBy('version', 'desc')
        .execute(),
    /** Adds a version. @throws an error of a unique key when another change came first */
    add: (tx: Tx, row: Omit<Row, 'terms'> & { terms: object }) =>
      write(1, tx.insertInto('terms').values({ ...row, terms: JSON.stringify(row.terms) })),
  }
}

export function defineTerms<T extends object>(definition: TermsDefinition<T>) {
  const { product, schema, fields } = definition
  const read = (stored: unknown): T => schema.parse(stored) as T
  const stored = (row: Row): StoredTerms<T> => ({ ...row, terms: read(row.terms) })
  interface Context extends TermsContext<T> {
    store: ReturnType<typeof createTermsStore>
    database: Database
  }
  const unitsOf = ({ units }: TermsContext<T>, key: string, terms: T) => units?.(key, terms) ?? {}

  const proposals = defineProposal<Context, T>({
    kind: product,
    actions: definition.actions ?? 'terms',
    subject: definition.subject ?? ((key) => `${product}:${key}`),
    read,
    async now({ store, database }, key, tx) {
      // One change of terms at a time, so that the version read here is the last one.
      if (tx) await takeTurnIn(database, tx, 'terms')
      const row = await store.last(product, key, tx)
      return { version: row?.version ?? 0, terms: row && read(row.terms) }
    },
    changes: (context, key, before, after) => termChanges(fields, before, after, unitsOf(context, key, after)),
    check(_context, { before, after }, _tx, at) {
      const wrong = definition.check?.(after, before, at)
      if (wrong) throw new ApiProblem('parameter_error', { field: wrong })
    },
    async apply({ store, agreed }, decision, { subject: key, version, after, by }) {
      const row = { key, version, terms: after, changed_by: by }
      await store.add(decision.tx, { ...row, product, at: decision.at })
      await agreed?.(decision, row)
      return []
    },
    told: ({ told }, key) => told?.(key),
  })

  /** Opens the terms of a running server. */
  function open(office: OfficePorts, own: TermsContext<T> = {}): OpenTerms {
    const store = createTermsStore(office.database)
    const context = { ...own, store, database: office.database }
    const kind = proposals.open(office, context)

    async function one(key: string, operator: Operator): Promise<ShownTerms> {
      const [history, proposal] = [(await store.history(product, key)).map(stored), await kind.shown(key, operator)]
      const now = history[0]
      if (!now && !proposal) throw new ApiProblem('not_found', { field: 'key' })
      const terms = now?.terms ?? proposal!.after
      return {
        product,
        key,
        version: now?.version ?? 0,
        changed_by: now?.changed_by ?? '',
        changed: now?.at ?? proposal!.shown.time,
        terms: typedTerms(fields, terms, unitsOf(own, key, terms)),
        proposal: proposal?.shown ?? null,
        versions: shownVersions(history, (before, after) => termChanges(fields, before.terms, after.terms, unitsOf(own, key, after.terms))),
      }
    }
    return {
      product,
      proposals: kind as OpenProposals<never>,
      one,
      async list(operator) {
        const [rows, waiting] = [await store.current([product]), await kind.open()]
        const keys = [...new Set([...rows.map(({ key }) => key), ...waiting])]
        return Promise.all(keys.map(async (key) => ({ ...(await one(key, operator)), proposed: waiting.has(key) })))
      },
      async propose(tx, operator, { key: asked, version, typed }) {
        const before = asked === undefined ? undefined : await store.last(product, asked, tx)
        if (asked !== undefined && !before) throw new ApiProblem('not_found', { field: 'key' })
        const terms = before && read(before.terms)
        const found = readTerms(fields, schema.shape, terms, typed)
        const wrong = 'wrong' in found ? found.wrong : definition.check?.(found.terms as T, terms, office.clock.now())
        if (wrong || 'wrong' in found) throw new ApiProblem('parameter_error', { field: wrong })
        const key = asked ?? (await definition.newKey?.(tx, found.terms as T))
        if (key === undefined) throw new ApiProblem('parameter_missing', { field: 'key' })
        return kind.propose(tx, operator, { subject: key, after: found.terms as T, version })
      },
    }
  }
  return { product, check: proposals.check, open, read, fields, schema }
}

/** Terms of one product in a running server. */
export interface OpenTerms {
  readonly product: string
  readonly proposals: OpenProposals<never>
  /** @throws ApiProblem('not_found') */
  one(key: string, operator: Operator): Promise<ShownTerms>
  list(operator: Operator): Promise<(ShownTerms & { proposed: boolean })[]>
  /**
   * Proposes other terms, in the caller's transaction.
   * @param change.key absent: new terms @param change.typed members as an operator types them; those that are absent stay
   * @throws ApiProblem parameter_error with the member that is wrong, terms_changed, state_wrong, fresh_login_required, not_found
   */
  propose(
    tx: Tx,
    operator: Operator,
    change: { key?: string | undefined; version?: number | undefined; typed: Readonly<Record<string, string | undefined>> },
  ): Promise<ProposalDone>
}

/** Handlers of the calls about terms of all products. */
export function termsHandlers(office: OfficePorts, all: readonly OpenTerms[]): OfficeHandlers {
  const of = new Map(all.map((terms) => [terms.product, terms]))
  /** @throws ApiProblem('not_found') */
  function termsOf(product: string): OpenTerms {
    const found = of.get(product)
    if (!found) throw new ApiProblem('not_found', { field: 'product' })
    return found
  }
  return {
    'office.terms': async ({ product, page, size }: { product: string; page: number; size: number }, { operator }: OperatorCaller) => {
      const rows = await termsOf(product).list(operator)
      return { list: rows.slice((page - 1) * size, page * size), total: rows.length }
    },
    'office.termsOne': ({ product, key }: { product: string; key: string }, { operator }: OperatorCaller) =>
      termsOf(product).one(key, operator),
    async 'office.termsSave'(input: { product: string; key?: string; version?: number }, caller: OperatorCaller) {
      const { product, key, version, ...typed } = input
      const terms = termsOf(product)
      const change = { key, version, typed: typed as Record<string, string> }
      const done = await office.once.run(caller, { call: 'office.termsSave', input }, (tx) => terms.propose(tx, caller.operator, change))
      office.queueChanged()
      return terms.one(done.subject, caller.operator)
    },
  } as OfficeHandlers
}
