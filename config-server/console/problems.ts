import type { Refusal } from '#config-server/refuse.ts'
import { type ConsoleProblem, consoleProblems } from '#contract/console/console.problems.ts'
import { ApiProblem, problems } from '#contract/problem.ts'
import { bodyReason } from '#server-kit/http/refusals.ts'

type Code = ConsoleProblem | Refusal

/** The text beside the code. Consoles have texts of their own for each code; these are for people who read the answer itself. */
const messages: Record<Code, string> = {
  login_required: 'Log in first.',
  fresh_login_required: 'Give your password and a code again.',
  login_failed: 'Name, password or code is wrong.',
  code_wrong: 'The code is wrong, or it was used before.',
  locked: 'Too many tries. Wait a moment.',
  not_allowed: 'Your roles do not allow this.',
  not_found: 'Not found.',
  own_draft: 'Somebody else must approve what you wrote.',
  save_conflict: 'Somebody else saved this file in between.',
  stale_base: 'Another release went live since. Merge it first.',
  hash_changed: 'The draft was changed since you looked at it.',
  not_approved: 'The draft is not approved.',
  state_wrong: 'This cannot be done in the present state.',
  checks_failed: 'The checks found errors.',
  flows_not_run: 'The flows were not run. Run them, or give a reason for approving without them.',
  lock_out: 'At least one administrator must remain.',
  reason_missing: 'Give a reason.',
  too_large: 'There is more than the limit allows.',
  link_used: 'The link was used, has run out, or was replaced by a newer one.',
  name_taken: 'The name is taken.',
  release_stopped: 'This release was stopped. To roll back to it, use --force.',
  password_weak: 'The password is too easy to guess. Use at least 12 characters.',
  parameter_error: 'A parameter is missing or invalid.',
  body_unreadable: 'The body is not JSON.',
  forbidden: 'The request does not come from the console.',
  method_not_allowed: 'This address does not take the method.',
  body_too_large: 'The body is too large.',
  too_many_requests: 'Too many requests. Wait a moment.',
  internal: 'The server failed. The log has the cause.',
  busy: 'Too much is going on. Try again.',
}

export interface ConsoleAnswer {
  status: number
  body: { code: Code; message: string; data?: unknown }
  retryAfterSeconds?: number | undefined
}

const isCode = (code: unknown): code is Code => typeof code === 'string' && Object.hasOwn(messages, code)
const answer = (code: Code, data?: unknown, retryAfterSeconds?: number): ConsoleAnswer => ({
  status: code in consoleProblems ? consoleProblems[code as ConsoleProblem] : problems[code as Refusal].http,
  body: { code, message: messages[code], ...(data !== undefined && { data }) },
  retryAfterSeconds,
})

/** Errors of the parser of bodies, by their type. */
const parserErrors: Record<string, Code> = { 'entity.too.large': 'body_too_large', 'entity.parse.failed': 'body_unreadable' }

/** The one place where an error becomes an answer. Only codes of our own get out; anything else is `internal`, and its cause is for the log. */
export function answerOf(error: unknown): ConsoleAnswer {
  if (error instanceof ApiProblem && isCode(error.code)) {
    const { code, retryAfterSeconds } = error
    const data = error.data ?? (retryAfterSeconds === undefined ? undefined : { retryAfterSeconds })
    return answer(code, data, retryAfterSeconds)
  }
  if (error instanceof URIError) return answer('not_found')
  const { type, status } = (error ?? {}) as { type?: unknown; status?: unknown }
  if (typeof type === 'string' && Object.hasOwn(parserErrors, type)) {
    const problem = answer(parserErrors[type]!)
    const reason = bodyReason(error)
    return reason === undefined
      ? problem
      : { ...problem, body: { ...problem.body, message: `${problem.body.message.slice(0, -1)}: ${reason}.` } }
  }
  if (typeof status === 'number' && status >= 400 && status < 500) return answer('body_unreadable')
  return answer('internal')
}
