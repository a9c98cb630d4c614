import type { Database } from '#server-kit/db/db.ts'

/**
 * The same database with slow answers: rows read from a table outside transactions arrive only when `until` resolves.
 * @param until called for each such answer
 */
export function withHeld(database: Database, table: string, until: () => Promise<unknown>): Database {
  const held = new WeakSet<object>()
  const db = database.db.withPlugin({
    transformQuery({ node, queryId }) {
      if (node.kind === 'SelectQueryNode' && JSON.stringify(node.from).includes(`"${table}"`)) held.add(queryId)
      return node
    },
    async transformResult({ result, queryId }) {
      if (held.has(queryId)) await until()
      return result
    },
  })
  return { ...database, db }
}
