/**
 * Problems of /console/api with their HTTP status: those of operators only, and those of contract/problem.ts with another status here.
 * Problems of every server keep the status of contract/problem.ts.
 */
export const consoleProblems = {
  login_required: 401,
  fresh_login_required: 401,
  login_failed: 401,
  code_wrong: 401,
  locked: 429,
  not_allowed: 403,
  not_found: 404,
  own_draft: 403,
  save_conflict: 409,
  stale_base: 409,
  hash_changed: 409,
  not_approved: 409,
  state_wrong: 409,
  checks_failed: 422,
  flows_not_run: 422,
  lock_out: 422,
  reason_missing: 422,
  too_large: 413,
  link_used: 410,
  name_taken: 409,
  release_stopped: 409,
  password_weak: 422,
} as const
export type ConsoleProblem = keyof typeof consoleProblems
