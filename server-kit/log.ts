import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

/** One event is one JSON line on standard output. Secrets are named here, so that no line carries them. */
export function createLog(level: string, to?: DestinationStream): Log {
  const redact = {
    paths: ['token', 'password', 'authorization', 'code', '*.token', '*.password', '*.authorization', '*.code_text', 'req.headers'],
    censor: '[hidden]',
  }
  return to ? pino({ level, base: null, redact }, to) : pino({ level, base: null, redact })
}
