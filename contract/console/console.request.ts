import type * as z from 'zod'
import { type ConsoleRequest, requestFor } from '#contract/console/console.answer.ts'
import { type ConsoleCall, type ConsoleCalls, consoleCalls } from '#contract/console/console.calls.ts'

/** Shared by the clients of the console's calls: the console and the command line. */

export type ConsoleInput<N extends ConsoleCall> = z.input<ConsoleCalls[N]['input']>
export type ConsoleOutput<N extends ConsoleCall> = z.output<ConsoleCalls[N]['output']>

/** Builds the request of a call by its name. */
export const requestOf = <N extends ConsoleCall>(name: N, input: ConsoleInput<N>): ConsoleRequest =>
  requestFor(consoleCalls[name], input as Record<string, unknown>)
