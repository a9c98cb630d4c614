import type { CallRow } from '#contract/call.ts'
import { backOfficeCalls } from '#contract/calls/office.calls.ts'
import { type ConsoleCall, consoleCalls } from '#contract/console/console.calls.ts'

/** Calls of the config server that documents of the back office use. */
const ofConsole = [
  'operators.list',
  'operators.one',
  'operators.invite',
  'operators.change',
  'operators.reset',
  'audit.page',
  'audit.one',
  'audit.change',
  'audit.csv',
] as const satisfies readonly ConsoleCall[]

/** Calls that documents of the back office use: all of the API server's back office, and of the config server those about operators and its log. */
export const officeDocumentCalls: Readonly<Record<string, CallRow>> = {
  ...backOfficeCalls,
  ...Object.fromEntries(ofConsole.map((name) => [name, consoleCalls[name]])),
}

/** Flags of a row in the route table: `console` for a call of the config server, `streams` for one that answers with a file. */
export function officeFlags(name: string): string[] {
  const isConsole = Object.hasOwn(consoleCalls, name)
  return [...(isConsole ? ['console'] : []), ...(officeDocumentCalls[name]?.streams ? ['streams'] : [])]
}
