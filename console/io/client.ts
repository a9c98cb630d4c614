import { createSend, type SendOptions } from '#console/frames/send.ts'
import { ConsoleError, readAnswer } from '#contract/console/console.answer.ts'
import type { ConsoleCall } from '#contract/console/console.calls.ts'
import { type ConsoleInput, type ConsoleOutput, requestOf } from '#contract/console/console.request.ts'

export { ConsoleError }

type PublishRequest = Omit<ConsoleInput<'drafts.publish'>, 'id'>
export type RolloutRequest = ConsoleInput<'releases.rollout'>
export type EventsPlace = ConsoleInput<'events'>

export interface ClientOptions extends SendOptions {
  /** Address before every call. */
  base?: string
}

type Call = <N extends ConsoleCall>(name: N, input: ConsoleInput<N>, signal?: AbortSignal) => Promise<ConsoleOutput<N>>

const defaultBase = '/console/api'

/** The calls of the console. All reject with ConsoleError. */
export function createClient(options: ClientOptions = {}) {
  const base = options.base ?? defaultBase
  const send = createSend(options)
  const call: Call = async (name, input, signal) =>
    (await send({ ...requestOf(name, input), base, signal }, readAnswer)) as ConsoleOutput<typeof name>
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

    /** Address of the event stream (event data: ConsoleEvent, DraftPresence). @param place what the page has open */
    events: (place: EventsPlace) => base + requestOf('events', place).path,
  }
}
export type Client = ReturnType<typeof createClient>
