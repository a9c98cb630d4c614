import { type DestinationStream, type Logger, type LoggerOptions, pino, stdSerializers } from 'pino'

export type Log = Logger

/**
 * The members that errors of the database and of Kysely have beside their message: whole rows, keys and parameters, which may be anybody's
 * name or address.
 */
const ofRows = ['detail', 'where', 'hint', 'query', 'params', 'internalQuery', 'queryOptions', 'node'] as const
/** SQLSTATE class 22: the message ends with the value that was wrong. */
const isAboutData = (code: unknown): boolean => typeof code === 'string' && /^22[0-9A-Z]{3}$/.test(code)

/** The error and what caused it, as far as that goes. */
function chainOf(error: unknown): Error[] {
  const chain: Error[] = []
  for (let one = error; one instanceof Error && !chain.includes(one); one = one.cause) chain.push(one)
  return chain
}

/** An error as the log may have it: what it is and where it came from, and nothing of the rows that it is about. */
function errorOf(error: Error): unknown {
  const serialized: unknown = stdSerializers.err(error)
  if (typeof serialized !== 'object' || serialized === null) return serialized
  const line = { ...serialized } as Record<string, unknown>
  for (const name of ofRows) delete line[name]
  for (const { message, code } of chainOf(error) as (Error & { code?: unknown })[]) {
    if (!message || !isAboutData(code)) continue
    const [kind = ''] = message.split(/: "|"/)
    for (const name of ['message', 'stack']) line[name] = String(line[name]).replaceAll(message, () => kind)
  }
  return line
}

/** One event is one JSON line on standard output. Secrets are named here, so that no line carries them. */
export function createLog(level: string, to?: DestinationStream): Log {
  const redact = {
    paths: ['token', 'password', 'authorization', 'code', '*.token', '*.password', '*.authorization', '*.code_text', 'req.headers'],
    censor: '[hidden]',
  }
  const options: LoggerOptions = { level, base: null, redact, serializers: { err: errorOf } }
  return to ? pino(options, to) : pino(options)
}
