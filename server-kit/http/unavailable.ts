import { ApiProblem } from '#contract/problem.ts'

/** Error codes of sockets whose other end is missing or gone. */
const network = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
])
/** SQLSTATE: the server shuts down, has crashed, is starting, or has no connection left; 08 is the class of lost connections. */
const sqlStates = new Set(['57P01', '57P02', '57P03', '53300', '25006'])
/** Messages of node-postgres for a connection that has ended; these errors have no code. */
const words =
  /^(?:Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|The server does not support SSL|Client was closed)/

/** True when the database is away or going: nothing is wrong with what was asked, and asking again later may work. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof ApiProblem) return error.code === 'busy'
  if (!(error instanceof Error)) return false
  const { code, syscall } = error as NodeJS.ErrnoException
  if (typeof code === 'string') {
    if (sqlStates.has(code) || /^08[0-9A-Z]{3}$/.test(code)) return true
    // ENOENT is a socket in the file system that is gone.
    return network.has(code) && (code !== 'ENOENT' || syscall === 'connect')
  }
  return words.test(error.message)
}

/** Whether each of a group may be tried alone after the group has failed: nothing was done, and the database is there. */
export const mayTryAlone = (error: unknown): boolean =>
  !isUnavailable(error) && !(error instanceof ApiProblem && error.code === 'outcome_unknown')
