import { type Logger, pino } from 'pino'

export type Log = Logger

/** One event is one JSON line on standard output. Secrets are named here, so that no line carries them. */
export function createLog(level: string): Log {
  return pino({
    level,
    base: null,
    redact: {
      paths: ['token', 'password', 'authorization', 'code', '*.token', '*.password', '*.authorization', '*.code_text', 'req.headers'],
      censor: '[hidden]',
    },
  })
}
