import type { ConsoleCall } from '#contract/console.calls.ts'
import { ConsoleError, type ConsoleInput, type ConsoleOutput, readAnswer, requestOf } from '#contract/console.request.ts'
import type { Role } from '#language/publish/publishing.ts'

export { ConsoleError }

export type AuditFilter = ConsoleInput<'audit.page'>
type PublishRequest = Omit<ConsoleInput<'drafts.publish'>, 'id'>
export type RolloutRequest = ConsoleInput<'releases.rollout'>
export type EventsPlace = ConsoleInput<'events'>

export interface ClientOptions {
  fetch?: typeof fetch
  /** Address before every call. */
  base?: string
  /** Asked when the server wants proof of who one is; true: ask again. */
  onFresh?: () => Promise<boolean>
  /** The session is over, or there was none. */
  onLogin?: () => void
}

type Call = <N extends ConsoleCall>(name: N, input: ConsoleInput<N>, signal?: AbortSignal) => Promise<ConsoleOutput<N>>

const defaultBase = '/console/api'

/** One call. @throws {ConsoleError} for every answer but `{data}` */
function createCall({ fetch: send = (...all) => fetch(...all), base = defaultBase, onFresh, onLogin }: ClientOptions): Call {
  const once: Call = async (name, input, signal) => {
    const { method, path, body } = requestOf(name, input)
    const answer = await send(`${base}${path}`, {
      method,
      credentials: 'same-origin',
      cache: 'no-store',
      headers: { accept: 'application/json', 'x-console': '1', ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    }).catch((error: unknown) => {
      if (signal?.aborted) throw error
      throw new ConsoleError('offline', 0, 'The server cannot be reached.')
    })
    return readAnswer(answer.status, await answer.text().catch(() => '')) as ConsoleOutput<typeof name>
  }
  return async (name, input, signal) => {
    try {
      return await once(name, input, signal)
    } catch (error) {
      if (!(error instanceof ConsoleError)) throw error
      if (error.code === 'fresh_login_required' && onFresh && (await onFresh())) return once(name, input, signal)
      if (error.code === 'login_required') onLogin?.()
      throw error
    }
  }
}

/** The calls of the console. All reject with ConsoleError. */
export function createClient(options: ClientOptions = {}) {
  const call = createCall(options)
  const base = options.base ?? defaultBase
  return {
    /** @param token from the fragment of the set-up link; it never goes into an address */
    setup: (body: ConsoleInput<'setup.propose'>) => call('setup.propose', body),
    setupConfirm: (body: ConsoleInput<'setup.confirm'>) => call('setup.confirm', body),
    login: (body: { name: string; password: string; code: string }) => call('session.login', body),
    logout: () => call('session.logout', {}),
    me: () => call('session.me', {}),
    fresh: (body: ConsoleInput<'session.fresh'>) => call('session.fresh', body),
    changePassword: (next: string) => call('access.password', { next }),
    proposeFactor: () => call('access.factor', {}),
    confirmFactor: (code: string) => call('access.factorConfirm', { code }),
    recoveryLeft: () => call('access.recoveryLeft', {}),
    makeRecoveryCodes: () => call('access.recovery', {}),
    sessions: () => call('session.list', {}),
    endSession: (session: string) => call('session.end', { session }),

    operators: () => call('operators.list', {}),
    addOperator: (body: { name: string; roles: Role[] }) => call('operators.invite', body),
    changeOperator: (id: number, body: { roles?: Role[]; frozen?: boolean }) => call('operators.change', { id, ...body }),
    resetOperator: (id: number) => call('operators.reset', { id }),

    catalog: () => call('catalog', {}),
    files: (of: ConsoleInput<'files'>, signal?: AbortSignal) => call('files', of, signal),

    drafts: () => call('drafts.list', {}),
    createDraft: (body: ConsoleInput<'drafts.create'>) => call('drafts.create', body),
    draft: (id: number) => call('drafts.one', { id }),
    renameDraft: (id: number, body: { name?: string; note?: string }) => call('drafts.rename', { id, ...body }),
    dropDraft: (id: number) => call('drafts.drop', { id }),
    /** @throws {ConsoleError} `save_conflict` with SaveConflict in `data` */
    saveFile: (id: number, body: { path: string; text: string | null; version: number }) => call('drafts.save', { id, ...body }),
    draftHistory: (id: number) => call('drafts.history', { id }),
    commentDraft: (id: number, text: string) => call('drafts.comment', { id, text }),
    check: (id: number, signal?: AbortSignal) => call('drafts.check', { id }, signal),
    merge: (id: number, choices: Record<string, 'mine' | 'theirs'>) => call('drafts.merge', { id, choices }),
    runFlows: (id: number) => call('drafts.runFlows', { id }),
    flows: (id: number) => call('drafts.flows', { id }),
    submit: (id: number, note: string) => call('drafts.submit', { id, note }),
    withdraw: (id: number) => call('drafts.withdraw', { id }),
    approve: (id: number, body: { hash: string; note: string; unrunFlows: string }) => call('drafts.approve', { id, ...body }),
    reject: (id: number, body: { hash: string; reason: string }) => call('drafts.reject', { id, ...body }),
    publish: (id: number, request: PublishRequest) => call('drafts.publish', { id, ...request }),
    cancelSchedule: (id: number, reason: string) => call('drafts.cancelSchedule', { id, reason }),

    releases: () => call('releases.list', {}),
    release: (id: number) => call('releases.one', { id }),
    releaseDiff: (id: number, against: number) => call('releases.diff', { id, against }),
    rollback: (id: number, reason: string, force?: true) => call('releases.rollback', { id, reason, ...(force && { force }) }),
    rollout: (request: RolloutRequest) => call('releases.rollout', request),
    guard: () => call('guard', {}),

    audit: (filter: AuditFilter) => call('audit.page', filter),
    auditChange: (id: number) => call('audit.change', { id }),
    /** Address of the log as a table; the browser saves it. */
    auditCsv: (filter: ConsoleInput<'audit.csv'>) => base + requestOf('audit.csv', filter).path,
    /** Address of the event stream (event data: ConsoleEvent, DraftPresence). @param place what the page has open */
    events: (place: EventsPlace) => base + requestOf('events', place).path,
  }
}
export type Client = ReturnType<typeof createClient>
