import pg from 'pg'
import { StartRefused } from '#server-kit/ops/start-refused.ts'

/** The oldest version that the tests run on, and the oldest that PostgreSQL itself still mends. */
export const oldestPostgres = 15

/** Where DATABASE_URL leads; the password is left out. */
interface Place {
  host: string
  port: number
  user: string
  database: string
}

const unreachable = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'EPIPE',
])
/** Messages of node-postgres that come without a code. */
const noAnswer = /timeout exceeded when trying to connect|due to connection timeout|Connection terminated unexpectedly/
const noPassword = /client password must be a string/
const noTls = /does not support SSL connections/

const missingRight = '42501'
/** No schema of search_path exists, or the user sees none. */
const noSchema = '3F000'

/**
 * Why PostgreSQL cannot be used, and what to do, in one or two sentences.
 * @param error of node-postgres: SQLSTATE or a code of Node in `code`
 * @returns undefined for an error that has another cause
 */
export function startRefusal(error: unknown, { host, port, user, database }: Place): string | undefined {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  const at = `DATABASE_URL: PostgreSQL at ${host}:${port}`
  if (unreachable.has(code) || noAnswer.test(message))
    return `${at} does not answer${code && ` (${code})`}. Check that it runs, and host and port of the address.`
  if (noPassword.test(message))
    return `${at} asks the user "${user}" for a password, and the address has none. Add it: postgres://${user}:password@…`
  if (noTls.test(message))
    return `${at} does not offer TLS, and the address asks for it. Remove sslmode and ssl from the address, or set up TLS there.`
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_/.test(code))
    return `${at} has a certificate that is not accepted (${code}). Check the certificate, and sslmode and sslrootcert of the address.`
  switch (code) {
    case '28P01':
      return `${at} refuses the password of the user "${user}". Check user and password of the address.`
    case '28000':
      return `${at} does not let the user "${user}" in: ${message}. Check the user of the address, and pg_hba.conf.`
    case '3D000':
      return `${at} has no database "${database}". Create it: create database "${database}" owner "${user}" encoding 'UTF8' template template0`
    case missingRight:
    case noSchema:
      return `${at}: the user "${user}" has no right to do this in the database "${database}": ${message}. Make the user the owner of the database and of all that is in it: alter database "${database}" owner to "${user}"`
    case '53300':
      return `${at} has no free connection. Raise max_connections there, or stop a program that holds connections.`
    case '57P03':
      return `${at} is starting or stopping. Start again in a moment.`
    default:
      return undefined
  }
}

/** The answers of the server about itself. */
interface ServerFacts {
  version: number
  versionText: string
  encoding: string
  isCopy: boolean
}

/** As `startRefusal`, of a server that lets the user in. */
export function serverRefusal(facts: ServerFacts, { host, port, user, database }: Place): string | undefined {
  const at = `DATABASE_URL: PostgreSQL at ${host}:${port}`
  if (facts.version < oldestPostgres * 10_000)
    return `${at} has version ${facts.versionText}; Tessera needs ${oldestPostgres} or newer. Upgrade it, or name another server.`
  if (facts.isCopy) return `${at} is a copy that can only be read. Name the server that it copies.`
  if (facts.encoding !== 'UTF8')
    return `${at}: the database "${database}" has the encoding ${facts.encoding}; Tessera needs UTF8. Create another: create database … owner "${user}" encoding 'UTF8' template template0`
  return undefined
}

/**
 * Asks the server once, before anything is changed.
 * @throws StartRefused that says what is wrong and what to do
 */
export async function checkPostgres(pool: pg.Pool, url: string): Promise<void> {
  const refusal = await pool
    .query<ServerFacts>(
      `select current_setting('server_version_num')::int as version, current_setting('server_version') as "versionText",
        current_setting('server_encoding') as encoding, pg_is_in_recovery() as "isCopy"`,
    )
    .then(({ rows }) => serverRefusal(rows[0]!, placeOf(url)))
    .catch((error: unknown) => refused(error, url))
  if (refusal !== undefined) throw new StartRefused(refusal)
}

/** The sentence for an error of the start. @throws the error itself when it has another cause */
function refused(error: unknown, url: string): string {
  const sentence = startRefusal(error, placeOf(url))
  if (sentence === undefined) throw error
  return sentence
}

/** Turns an error of a migration that a missing right explains into a refusal. @throws StartRefused, or the error as it is */
export function refuseMigration(error: unknown, url: string): never {
  const { code } = error as { code?: unknown }
  throw code === missingRight || code === noSchema ? new StartRefused(refused(error, url)) : error
}

/** As node-postgres reads the address, with its own stand-ins for what is left out. */
function placeOf(url: string): Place {
  const { host, port, user, database } = new pg.Client({ connectionString: url })
  return { host, port, user: user ?? '', database: database ?? '' }
}
