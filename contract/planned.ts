import type { CallRow } from '#contract/call.ts'

/** A call that documents may name before a server answers it. */
export type PlannedCall = CallRow & { readonly planned: true }

/**
 * Calls whose server does not exist yet. Lint, flows, state tests and the preview know them as all others; the API refuses them with `not_built_yet`.
 * `npm run cfg -- new-set` adds an area. When its server is built, its file goes to contract/calls/, without `planned`, and its line to contract/contract.ts.
 */
export const plannedCalls: Readonly<Record<string, PlannedCall>> = {
  // One line for each area.
}
