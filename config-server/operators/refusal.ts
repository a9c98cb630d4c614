import type { Refusal } from '#config-server/refuse.ts'
import type { ConsoleProblem } from '#language/publish/console-problems.ts'

/** Why the console says no; what it answers is decided in config-server/console/problems.ts. */
export class ConsoleRefusal extends Error {
  readonly code: ConsoleProblem | Refusal
  readonly data: unknown
  readonly retryAfterSeconds: number | undefined
  constructor(code: ConsoleProblem | Refusal, options: { data?: unknown; retryAfterSeconds?: number; cause?: unknown } = {}) {
    super(code, { cause: options.cause })
    this.name = 'ConsoleRefusal'
    this.code = code
    this.data = options.data
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}
