import { type Selectable, sql } from 'kysely'
import type * as z from 'zod'
import { type Decision, decided, type OfficePorts } from '#api-server/kit/decision.ts'
import { loggedCheck } from '#api-server/kit/logged.check.ts'
import { defineProposal, type OpenProposals, type ProposalActions, type ProposalDone } from '#api-server/kit/proposals.ts'
import {
  readTerms,
  type TermChange,
  type TermField,
  type TermFields,
  type TermUnits,
  termChanges,
  typedTerms,
  unitOf,
} from '#api-server/kit/terms.rules.ts'
import type { Check } from '#api-server/ledger/audit/audit.check.ts'
import type { backOfficeTermsCalls, SaleStep, TermState } from '#contract/calls/office.terms.calls.ts'
import { ApiProblem } from '#contract/problem.ts'
import { type Database, type Tables, type Tx, takeTurnIn, write } from '#server-kit/db/db.ts'
import type { Handlers, Operator } from '#server-kit/http/http.ts'

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
  /** Part of the subject in the log: `dual` for dual:7. Its name is the text `office.product_<product>`. */
  product: string
  /** Subject in the log; by default product and key. */
  subject?(key: string): string
  /** Prefix of the actions in the log; `terms` by default. */
  actions?: ProposalActions
  schema: z.ZodObject & z.ZodType<T>
  fields: { readonly [Member in keyof T & string]: TermField }
  /** Checks members against each other. @param at ms UTC @returns the first member that is wrong */
  check?(terms: T, before: T | undefined, at: number): (keyof T & string) | undefined
  /** Checks members against rows of others. @throws ApiProblem('parameter_error') with the member that does not fit */
  fits?(tx: Tx, terms: T): Promise<unknown>
  /** Key of new terms; without it, operators only change terms that are there. */
  newKey?(tx: Tx): Promise<string>
  /** Table of the things that the terms describe, with `id`, `sale` and `sale_by`, where operators stop their sale. */
  sale?: keyof Tables & string
}

/** The sale of the thing that terms describe, as it stands now. */
export interface ShownSale {
  state: TermState
  /** Steps that an operator can take now. */
  steps: readonly SaleStep[]
  /** Operator who took the last step; empty: nobody. */
  by: string
  /** Figures beside the terms. Their labels are the texts `office.term_<name>`. */
  facts: readonly { name: string; shown: string }[]
}
interface TermsContext<T> {
  /** Units of the members by name, see NumberTerm. */
  units?(terms: T, key: string): TermUnits
  /** Writes the product's own rows in the transaction in which a version begins to count. @throws ApiProblem to refuse it */
  agreed?(decision: Decision, change: Omit<StoredTerms<T>, 'product' | 'at'>): Promise<unknown>
  /** After the commit of a change, and of a step of the sale, on this node. */
  announce?(key: string): void | Promise<void>
  /** Operators pause, resume and end a sale, each alone and at once. */
  sale?: {
    /** Sales by key; terms that nobody has agreed to have none. */
    shown(keys: readonly string[]): Promise<ReadonlyMap<string, ShownSale>>
    /** @returns text of the row of the log @throws ApiProblem not_found, state_wrong */
    decide(decision: Decision, key: string, step: SaleStep): Promise<string>
  }
}

type Answer<N extends keyof typeof backOfficeTermsCalls> = z.input<(typeof backOfficeTermsCalls)[N]['output']>
type ShownTerms = Answer<'office.termsOne'>
type TermsRow = Answer<'office.terms'>['list'][number]
export type ShownVersion = ShownTerms['versions'][number]

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
    changes: ({ units }, key, before, after) => termChanges(fields, before, after, units?.(after, key)),
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
    announce: ({ announce }, key) => announce?.(key),
  })

  /** Opens the terms of a running server. */
  function open(office: OfficePorts, own: TermsContext<T> = {}): OpenTerms {
    const store = createTermsStore(office.database)
    const context = { ...own, store, database: office.database }
    const kind = proposals.open(office, context)

    const changesOf = (key: string, before: T | undefined, after: T) => termChanges(fields, before, after, own.units?.(after, key))
    const logged = (key: string) => definition.subject?.(key) ?? `${product}:${key}`
    /** Terms before a change, and those that were typed. @throws ApiProblem not_found, parameter_error */
    async function changed(tx: Tx, { key, typed }: Pick<TypedChange, 'key' | 'typed'>) {
      const row = key === undefined ? undefined : await store.last(product, key, tx)
      if (key === undefined ? !definition.newKey : !row) throw new ApiProblem('not_found', { field: 'key' })
      const before = row && read(row.terms)
      const found = readTerms(fields, schema.shape, before, typed)
      const wrong = 'wrong' in found ? found.wrong : definition.check?.(found.terms as T, before, office.clock.now())
      if (wrong || 'wrong' in found) throw new ApiProblem('parameter_error', { field: wrong })
      await definition.fits?.(tx, found.terms as T)
      return { before, after: found.terms as T }
    }
    /** @param sale undefined where there is none */
    const stateOf = (version: number, sale: ShownSale | undefined): TermState => sale?.state ?? (version > 0 ? 'in_force' : 'proposed')
    function rowOf(
      { key, version, terms, changed_by, at }: Omit<StoredTerms<T>, 'product'>,
      sale: ShownSale | undefined,
      proposed: boolean,
    ): TermsRow {
      const named = typedTerms(fields, terms, own.units?.(terms, key)).filter(({ name }) => fields[name as keyof T & string].named)
      const chosen = named.find(({ choice }) => choice)
      const about = named.flatMap(({ choice, shown }) => (choice ? [] : [shown])).join(', ')
      const state = stateOf(version, sale)
      return { key, about, choice: chosen?.choice ?? '', chosen: chosen?.value ?? '', version, changed_by, changed: at, state, proposed }
    }

    return {
      product,
      hasNew: definition.newKey !== undefined,
      proposals: kind as OpenProposals<never>,
      async one(key, operator) {
        const [history, proposal] = [(await store.history(product, key)).map(stored), await kind.shown(key, operator)]
        const now = history[0]
        if (!now && !proposal) throw new ApiProblem('not_found', { field: 'key' })
        const terms = now?.terms ?? proposal!.after
        const units = own.units?.(terms, key) ?? {}
        const sale = (await own.sale?.shown([key]))?.get(key)
        return {
          product,
          key,
          version: now?.version ?? 0,
          changed_by: now?.changed_by ?? '',
          changed: now?.at ?? proposal!.shown.time,
          state: stateOf(now?.version ?? 0, sale),
          steps: (sale?.steps ?? []).map((step) => ({ step })),
          state_by: sale?.by ?? '',
          facts: (sale?.facts ?? []).map((fact) => ({ ...fact, value: fact.shown, choice: '' })),
          terms: typedTerms(fields, terms, units).map((term) => ({ ...term, unit: unitOf(fields[term.name as keyof T & string], units) })),
          proposal: proposal?.shown ?? null,
          versions: shownVersions(history, (before, after) => changesOf(key, before.terms, after.terms)),
        }
      },
      async list() {
        const [rows, waiting] = [(await store.current([product])).map(stored), await kind.open()]
        const sales = await own.sale?.shown(rows.map(({ key }) => key))
        const known = new Set(rows.map(({ key }) => key))
        const fresh = [...waiting].flatMap(([key, terms]) =>
          known.has(key) ? [] : [rowOf({ key, version: 0, terms, changed_by: '', at: 0 }, undefined, true)],
        )
        const shown = rows.map((row) => rowOf(row, sales?.get(row.key), waiting.has(row.key)))
        // Numbers newest first, names in their order; changes that wait above all.
        const order = (a: TermsRow, b: TermsRow) => Number(b.key) - Number(a.key) || 0 || a.key.localeCompare(b.key)
        return [...fresh, ...shown].sort((a, b) => Number(b.proposed) - Number(a.proposed) || order(a, b))
      },
      waiting: async () => (await kind.open()).size,
      preview: (change) =>
        office.database.transaction(async (tx) => {
          const { before, after } = await changed(tx, change)
          return changesOf(change.key ?? '', before, after)
        }),
      async propose(tx, operator, change) {
        const { after } = await changed(tx, change)
        const subject = change.key ?? (await definition.newKey!(tx))
        return kind.propose(tx, operator, { subject, after, version: change.version })
      },
      decideSale: (tx, operator, key, step) =>
        decided(office, tx, operator, async (decision) => {
          if (!own.sale) throw new ApiProblem('state_wrong')
          const detail = await own.sale.decide(decision, key, step)
          return { answer: {}, notes: [{ action: `terms.${step}`, subject: logged(key), detail }] }
        }),
    }
  }
  const saleCheck = (table: string) =>
    loggedCheck({
      says: `the last decision about each sale of ${product} stands in the log of the back office`,
      over: 'all',
      decisions:
        () => sql`select ${sql.lit(`${product}:`)} || id as subject, 'terms.' || case sale when 'paused' then 'pause' when 'ended' then 'end'
        else 'resume' end as acts, sale_by as operator, 1::bigint as times from ${sql.table(table)} where sale_by <> ''`,
    })
  const checks = [proposals.check, ...(definition.sale ? [saleCheck(definition.sale)] : [])]
  return { product, checks, open, read, fields, schema }
}

/** Terms as they are defined, apart from a running server. */
export interface DefinedTerms {
  readonly product: string
  readonly fields: TermFields
  /** Check D2 of the audit: each decision about them stands in the log. */
  readonly checks: readonly Check[]
}

/** A change of terms, or new ones, as an operator types them. */
interface TypedChange {
  /** Absent: new terms. */
  key?: string | undefined
  /** That the page showed. */
  version?: number | undefined
  /** Members that are absent or empty stay. */
  typed: Readonly<Record<string, string | undefined>>
}
/** Terms of one product in a running server. */
export interface OpenTerms {
  readonly product: string
  /** Operators propose new terms, and not only changes. */
  readonly hasNew: boolean
  readonly proposals: OpenProposals<never>
  /** @throws ApiProblem('not_found') */
  one(key: string, operator: Operator): Promise<ShownTerms>
  /** Changes that wait first, then the newest or by name. */
  list(): Promise<TermsRow[]>
  /** Number of changes that wait. */
  waiting(): Promise<number>
  /** Members that a change would change. @throws ApiProblem not_found, parameter_error with the member that is wrong */
  preview(change: TypedChange): Promise<TermChange[]>
  /**
   * Proposes other terms, in the caller's transaction.
   * @throws ApiProblem those of preview, terms_changed, state_wrong, fresh_login_required
   */
  propose(tx: Tx, operator: Operator, change: TypedChange): Promise<ProposalDone>
  /** Pauses, resumes or ends a sale, in the caller's transaction. @throws ApiProblem not_found, state_wrong */
  decideSale(tx: Tx, operator: Operator, key: string, step: SaleStep): Promise<object>
}

/** Handlers of the calls about terms of all products. */
export function termsHandlers(
  office: OfficePorts,
  all: readonly OpenTerms[],
): Omit<Handlers<typeof backOfficeTermsCalls>, 'office.proposalAgree' | 'office.proposalDrop'> {
  const of = new Map(all.map((terms) => [terms.product, terms]))
  /** @throws ApiProblem('not_found') */
  function termsOf(product: string): OpenTerms {
    const found = of.get(product)
    if (!found) throw new ApiProblem('not_found', { field: 'product' })
    return found
  }
  return {
    'office.termsProducts': async () => ({
      list: await Promise.all(all.map(async ({ product, hasNew, waiting }) => ({ product, proposed: await waiting(), has_new: hasNew }))),
    }),
    'office.terms': async ({ product, page, size }) => {
      const rows = await termsOf(product).list()
      return { list: rows.slice((page - 1) * size, page * size), total: rows.length }
    },
    'office.termsOne': ({ product, key }, { operator }) => termsOf(product).one(key, operator),
    'office.termsPreview': async ({ product, key, ...typed }) => ({ changes: await termsOf(product).preview({ key, typed }) }),
    async 'office.termsSave'(input, caller) {
      const { product, key, version, ...typed } = input
      const terms = termsOf(product)
      const done = await office.once.run(caller, { call: 'office.termsSave', input }, (tx) =>
        terms.propose(tx, caller.operator, { key, version, typed }),
      )
      office.queueChanged()
      return terms.one(done.subject, caller.operator)
    },
    async 'office.termsSale'(input, caller) {
      const { product, key, step } = input
      const terms = termsOf(product)
      await office.once.run(caller, { call: 'office.termsSale', input }, (tx) => terms.decideSale(tx, caller.operator, key, step))
      await terms.proposals.announce(key)
      office.queueChanged()
      return terms.one(key, caller.operator)
    },
  }
}
