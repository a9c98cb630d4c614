import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Machine } from '#contract/rules/machine.rules.ts'
import type { Migration, Tables } from '#server-kit/db/db.ts'

type Column<Table extends keyof Tables> = keyof Tables[Table] & string

interface GuardOf<Table extends keyof Tables, State extends string> {
  table: Table
  /** Column of the state. */
  column: Column<Table>
  machine: Machine<State, string>
  /** Guards only the rows with this value of a fixed column; a table may then have several guards. */
  only?: readonly [column: Column<Table>, value: string]
  /** Columns that keep the value which they were inserted with. A json column cannot be compared. */
  fixed: readonly Column<Table>[]
  /** Columns that are fixed too once a row has this state. */
  fixedIn?: Partial<Record<State, readonly Column<Table>[]>>
  /** Columns that may change in every state, also of a row that has ended. */
  free?: readonly Column<Table>[]
  /** Changes that are refused as well: conditions in SQL about `old` and `new`, each with the message of its error. */
  refuses?: readonly (readonly [condition: string, message: string])[]
}
/** Guards the states of the rows of a table inside of the database. */
export interface StateGuard {
  /** Begins the names of the function and the triggers: table, and value of `only`. */
  readonly name: string
  readonly table: string
  readonly column: string
  readonly machine: Machine<string, string>
  readonly only: readonly [column: string, value: string] | undefined
  readonly fixed: readonly string[]
  readonly fixedIn: Readonly<Record<string, readonly string[]>>
  readonly free: readonly string[]
  /** Statements that create the triggers, or replace those of an earlier form. */
  readonly statements: readonly string[]
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`
const columnsOf = (row: 'old' | 'new', columns: readonly string[]) => `(${columns.map((name) => `${row}.${name}`).join(', ')})`
const changed = (columns: readonly string[]) => `${columnsOf('old', columns)} is distinct from ${columnsOf('new', columns)}`

/**
 * Makes the triggers of a table from the machine that the rules use. They refuse each move that the machine does not have, each change of a fixed
 * column, and to remove rows.
 */
export function stateGuard<Table extends keyof Tables, State extends string>(guard: GuardOf<Table, State>): StateGuard {
  const { table, column, machine, only, fixed, free = [], refuses = [] } = guard
  const fixedIn = (guard.fixedIn ?? {}) as Record<string, readonly Column<Table>[]>
  const name = only ? `${table}_${only[1]}` : table
  const leaving = machine.states.filter((state) => !machine.isEnd(state))
  const moves = leaving.map((from) => {
    const targets = machine.states.filter((to) => machine.allows(from, to))
    return `(old.${column} = ${quoted(from)} and new.${column} in (${targets.map(quoted).join(', ')}))`
  })
  const wrongMove = `raise exception 'a row of ${table} does not go from % to %', old.${column}, new.${column};`
  const later = Object.entries(fixedIn).map(([state, columns]) => `(old.${column} = ${quoted(state)} and ${changed(columns)})`)
  const lines = [
    `if tg_op <> 'UPDATE' then raise exception 'rows of ${table} are not removed'; end if;`,
    `if not (${moves.join('\n    or ')}) then`,
    ...(free.length
      ? [...free.map((one) => `  old.${one} := new.${one};`), `  if new is distinct from old then ${wrongMove} end if;`, '  return new;']
      : [`  ${wrongMove}`]),
    'end if;',
    `if ${[changed(fixed), ...later].join('\n    or ')} then raise exception 'a fixed column of ${table} does not change'; end if;`,
    ...refuses.map(([condition, message]) => `if ${condition} then raise exception ${quoted(message)}; end if;`),
    'return new;',
  ]
  const when = only ? ` when (old.${only[0]} = ${quoted(only[1])})` : ''
  return {
    name,
    table,
    column,
    machine,
    only,
    fixed,
    fixedIn,
    free,
    statements: [
      `create or replace function ${name}_moves() returns trigger language plpgsql as $$ begin\n  ${lines.join('\n  ')}\nend $$`,
      `create or replace trigger ${name}_row before update or delete on ${table} for each row${when} execute function ${name}_moves()`,
      `create or replace trigger ${name}_table before truncate on ${table} for each statement execute function ${name}_moves()`,
    ],
  }
}

/** Hash of everything that guards create; it does not depend on line breaks. */
export const hashOfGuards = (guards: readonly StateGuard[]): string =>
  createHash('sha256')
    .update(
      guards
        .flatMap((guard) => guard.statements)
        .join(' ')
        .replace(/\s+/g, ' '),
    )
    .digest('hex')
    .slice(0, 12)

/** A step of the schema that guards states; `guards` are those that count from it on. */
export interface StatesMigration extends Migration {
  readonly guards: readonly StateGuard[]
}

/**
 * A step that creates the triggers of a module, in the form that this build gives them. A build that changes a machine or a guard adds another such
 * step, so that databases which had the earlier form get the new one.
 * @param replaced functions of earlier triggers, which are dropped with the triggers that use them
 */
export function statesMigration(id: string, guards: readonly StateGuard[], replaced: readonly string[] = []): StatesMigration {
  return {
    id,
    guards,
    async up(tx) {
      for (const name of replaced) await sql`drop function if exists ${sql.ref(name)}() cascade`.execute(tx)
      for (const statement of guards.flatMap((guard) => guard.statements)) await sql.raw(statement).execute(tx)
    },
  }
}
