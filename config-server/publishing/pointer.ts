import {
  lockDraft,
  logged,
  notFound,
  type PublishingContext,
  partsOf,
  readDraft,
  sameSources,
  shasOfRelease,
} from '#config-server/publishing/context.ts'
import { withChanges } from '#config-server/publishing/drafts/sources.rules.ts'
import { putTexts } from '#config-server/publishing/drafts/text.store.ts'
import { mustBe, reasonOf, rolloutOf } from '#config-server/publishing/drafts/validation.rules.ts'
import type { Actor, Publishing, PublishRequest, RollbackRequest, RolloutChange } from '#config-server/publishing/publishing.ts'
import { infoOf, type NewRelease, type Pointer } from '#config-server/publishing/release.store.ts'
import { checksFailed, type Review } from '#config-server/publishing/review.ts'
import { appOf, makeRelease, type Release, revisionsOf } from '#config-server/release.rules.ts'
import { consoleProblems } from '#contract/console/console.problems.ts'
import { type AnyProblemCode, ApiProblem } from '#contract/problem.ts'
import { segmentsOf, unaskable } from '#language/documents/segments.ts'
import type { FlowState, GuardMetrics, ReleaseInfo, ReleaseStop, Rollout, Schedule } from '#language/publish/publishing.ts'
import { publishingLimits } from '#language/publish/publishing-limits.ts'
import type { Tx } from '#server-kit/db/db.ts'

type PointerCalls = Pick<Publishing, 'publish' | 'cancelSchedule' | 'rollout' | 'rollback' | 'stop'>

interface PointerWork {
  work: PointerCalls
  /** Publishes what was scheduled for now or before. */
  fire(): Promise<void>
}

/** Thrown where a change that was about to take effect was cancelled, moved to another time, or made by another node meanwhile. */
class Overtaken extends Error {}

const wrongState = (data: Record<string, unknown>) => new ApiProblem('state_wrong', { data: data })

/** @throws state_wrong for a rollout to segments that the release lacks, or that read more than a client tells the server */
function mustAsk(rollout: Rollout | null, content: Release | undefined): void {
  const named = rollout?.segment.named
  if (!named || !content) return
  const unknown = unaskable(named, segmentsOf(appOf(content)))
  if (unknown.length > 0) throw wrongState({ member: 'segment.named', segments: unknown })
}

/** Writes a release with everything that it consists of; nobody is notified of it yet. @returns it, with its number */
export async function insertRelease(context: PublishingContext, tx: Tx, row: NewRelease, content: Release): Promise<Release> {
  const number = await context.releases.nextNumber(tx)
  const release = makeRelease(number, [...content.documents.values()], content.texts)
  await putTexts(
    tx,
    revisionsOf(release).map((one) => [one.sha256, one.canonical] as const),
  )
  await context.releases.insert(tx, row, release, context.now())
  return release
}

/** After a change was stored: what is live is brought to the clients. That it failed is no reason to say that nothing was stored. */
export async function show(context: PublishingContext, made?: Release): Promise<void> {
  if (made) context.served.add(made)
  await context.served
    .refresh()
    .catch((error: unknown) => context.log.error({ err: error }, 'the live release could not be shown; it is tried again'))
}

export async function infoNow(context: PublishingContext, number: number): Promise<ReleaseInfo> {
  const head = await context.releases.head(number)
  if (!head) throw notFound(`release ${number}`)
  return infoOf(head, await context.releases.pointer())
}

export function createPointerWork(context: PublishingContext, review: Review): PointerWork {
  /** Ends what is being rolled out, where anything is. */
  async function stopCandidate(tx: Tx, pointer: Pointer, stop: ReleaseStop): Promise<void> {
    if (pointer.candidate === null) return
    await context.releases.mark(tx, pointer.candidate, { stopped: true, stop, ...(pointer.rollout && { rollout: pointer.rollout }) })
  }

  /** @param schedule the one that fires */
  async function publishNow(
    actor: Actor,
    draft: number,
    request: { hash: string; reason: string; rollout: Rollout | null; emergency?: boolean },
    schedule?: number,
  ) {
    const parts = await partsOf(context, draft)
    const { base, hash } = parts.row
    if (hash !== request.hash) throw new ApiProblem('hash_changed', { data: { hash } })
    if (parts.row.state !== 'approved') throw new ApiProblem('not_approved', { data: { state: parts.row.state } })
    const { checked, release: content } = await review.lookAgain(parts)
    if (!content) throw checksFailed(checked)
    mustAsk(request.rollout, content)
    const run = await context.drafts.run(request.hash)
    if (run?.state === 'failed') throw new ApiProblem('checks_failed', { data: { flows: run.results.filter((one) => !one.ok) } })
    const flows: FlowState = run?.state === 'passed' ? 'passed' : 'not-run'

    const made = await logged(context, actor, async (tx) => {
      const pointer = await context.releases.lock(tx)
      const row = await lockDraft(context, tx, draft)
      if (schedule === undefined) await context.drafts.endSchedule(tx, draft, 'cancelled', 'it was published before')
      else if (!(await context.drafts.endSchedule(tx, draft, 'done', '', schedule))) throw new Overtaken()
      const approval = await context.drafts.approval(tx, draft)
      if (row.hash !== request.hash) throw new ApiProblem('hash_changed', { data: { hash: row.hash } })
      if (row.state !== 'approved' || approval?.hash !== request.hash) throw new ApiProblem('not_approved', { data: { state: row.state } })
      if (flows !== 'passed' && !approval.unrun_flows) throw new ApiProblem('flows_not_run')
      if (pointer.stable === null || row.base !== base || !(await sameSources(context, base, pointer.stable, tx)))
        throw new ApiProblem('stale_base', { data: { base, live: pointer.stable } })
      if (pointer.candidate !== null) throw wrongState({ candidate: pointer.candidate })
      const files = await context.drafts.files(tx, draft)
      const changes = files.map((file) => [file.path, file.sha256] as const)
      const sources = withChanges(await shasOfRelease(context, base, tx), changes)
      const before = await context.releases.headIn(tx, pointer.stable)
      const people = { author: row.author, approver: approval.by_name, publisher: actor.name }
      const facts = { hash: request.hash, kind: 'publish' as const, from_number: pointer.stable, draft, note: request.reason, flows }
      const emergency = request.emergency === true
      const release = await insertRelease(context, tx, { ...facts, ...people, emergency, rollout: request.rollout, sources }, content)
      const to = request.rollout
        ? { stable: pointer.stable, candidate: release.release, rollout: request.rollout }
        : { stable: release.release, candidate: null, rollout: null }
      await context.releases.move(tx, pointer, to, context.now())
      await context.drafts.change(tx, draft, { state: 'published', release: release.release, updated_at: context.now() })
      const detail = {
        draft,
        flows,
        ...(emergency && { emergency }),
        ...(request.rollout && { rollout: request.rollout }),
        ...(schedule !== undefined && { schedule }),
      }
      const hashes = { fromHash: before?.hash ?? null, toHash: request.hash }
      const entry = { action: 'release.publish', subject: `release ${release.release}`, ...hashes, reason: request.reason, detail }
      return { result: release, entry }
    })
    await show(context, made)
    context.tell({ about: 'draft', id: draft })
    return infoNow(context, made.release)
  }

  async function scheduleIt(
    actor: Actor,
    draft: number,
    request: PublishRequest & { at: number },
    reason: string,
    rollout: Rollout | null,
  ): Promise<Schedule> {
    if (request.at - context.now() > publishingLimits.scheduleAheadMsMax)
      throw new ApiProblem('too_large', { data: { member: 'at', aheadMsMax: publishingLimits.scheduleAheadMsMax } })
    const schedule = await logged(context, actor, async (tx) => {
      const pointer = await context.releases.pointerIn(tx)
      const row = await lockDraft(context, tx, draft)
      if (row.hash !== request.hash) throw new ApiProblem('hash_changed', { data: { hash: row.hash } })
      if (row.state !== 'approved') throw new ApiProblem('not_approved', { data: { state: row.state } })
      if (pointer.stable === null || !(await sameSources(context, row.base, pointer.stable, tx)))
        throw new ApiProblem('stale_base', { data: { base: row.base, live: pointer.stable } })
      await context.drafts.endSchedule(tx, draft, 'cancelled', 'another time was set')
      const plan = { draft, hash: request.hash, at: request.at, by_name: actor.name, rollout, note: reason }
      const id = await context.drafts.schedule(tx, plan)
      const result: Schedule = { id, draft, hash: request.hash, at: request.at, by: actor.name, rollout, state: 'waiting', reason: '' }
      const detail = { at: request.at, ...(rollout && { rollout }) }
      return { result, entry: { action: 'draft.schedule', subject: `draft ${draft}`, toHash: request.hash, reason, detail } }
    })
    context.tell({ about: 'draft', id: draft })
    return schedule
  }

  const work: PointerCalls = {
    async publish(actor, draft, request) {
      mustBe(actor, 'publisher')
      const reason = reasonOf(request.reason)
      const rollout = request.rollout ? rolloutOf(request.rollout) : null
      const { at, emergency = false } = request
      if (emergency && at !== undefined) throw wrongState({ member: 'emergency', why: 'scheduled' })
      return at === undefined || at <= context.now()
        ? publishNow(actor, draft, { hash: request.hash, reason, rollout, emergency })
        : scheduleIt(actor, draft, { ...request, at }, reason, rollout)
    },
    async cancelSchedule(actor, draft, reason) {
      mustBe(actor, 'publisher')
      const said = reasonOf(reason)
      await logged(context, actor, async (tx) => {
        const row = await lockDraft(context, tx, draft)
        if (!(await context.drafts.endSchedule(tx, draft, 'cancelled', said))) throw wrongState({ schedule: null })
        return { result: undefined, entry: { action: 'schedule.cancel', subject: `draft ${draft}`, toHash: row.hash, reason: said } }
      })
      context.tell({ about: 'draft', id: draft })
      return readDraft(context, draft)
    },
    async rollout(actor, change) {
      mustBe(actor, 'publisher')
      const reason = reasonOf(change.reason)
      const number = await logged(context, actor, async (tx) => {
        const pointer = await context.releases.lock(tx)
        const { stable, candidate, rollout } = pointer
        if (stable === null || candidate === null || !rollout) throw wrongState({ candidate: null })
        if (change.release !== undefined && change.release !== candidate) throw wrongState({ candidate })
        const [to, what, detail] = nextOf(change, rollout)
        if (typeof to === 'object') mustAsk(to, await context.served.get(candidate))
        const head = await context.releases.headIn(tx, candidate)
        const before = await context.releases.headIn(tx, stable)
        const now = context.now()
        if (to === 'complete') {
          await context.releases.mark(tx, candidate, { live_at: now, rollout })
          await context.releases.move(tx, pointer, { stable: candidate, candidate: null, rollout: null }, now)
        } else if (to === 'stop') {
          await stopCandidate(tx, pointer, stopOf(actor, reason, now, change.figures))
          await context.releases.move(tx, pointer, { stable, candidate: null, rollout: null }, now)
        } else {
          await context.releases.mark(tx, candidate, { rollout: to })
          await context.releases.move(tx, pointer, { stable, candidate, rollout: to }, now)
        }
        const [fromHash, toHash] = to === 'stop' ? [head?.hash, before?.hash] : [before?.hash, head?.hash]
        const hashes = { fromHash: fromHash ?? null, toHash: toHash ?? null }
        return { result: candidate, entry: { action: what, subject: `release ${candidate}`, ...hashes, reason, detail } }
      })
      await show(context)
      return infoNow(context, number)
    },
    async rollback(actor, number, { reason, ...request }) {
      mustBe(actor, 'publisher')
      return rollBack(context, actor, number, reasonOf(reason), { action: 'release.rollback', stopCandidate, ...request })
    },
    stop: (actor, reason, release, figures) => work.rollout(actor, { stop: true, reason, release, figures }),
  }

  async function refuse(one: { id: number; draft: number; hash: string; by: string }, problem: ApiProblem<AnyProblemCode>): Promise<void> {
    const actor: Actor = { name: one.by, roles: [], kind: 'system' }
    await logged(context, actor, async (tx) => {
      await context.drafts.lock(tx, one.draft)
      if (!(await context.drafts.endSchedule(tx, one.draft, 'refused', problem.code, one.id))) return { result: undefined }
      const entry = { action: 'schedule.refused', subject: `draft ${one.draft}`, toHash: one.hash, reason: problem.message.slice(0, 500) }
      return { result: undefined, entry }
    })
    context.tell({ about: 'draft', id: one.draft })
  }

  return {
    work,
    async fire() {
      for (const one of await context.drafts.due(context.now())) {
        const actor: Actor = { name: one.by, roles: [], kind: 'system' }
        try {
          await publishNow(actor, one.draft, { hash: one.hash, reason: one.note, rollout: one.rollout }, one.id)
        } catch (error) {
          if (error instanceof Overtaken) continue
          // Another node was quicker: then nothing waits any more, and nothing is written.
          // Other problems, such as a busy database, pass by themselves.
          if (error instanceof ApiProblem && error.code in consoleProblems) await refuse(one, error)
          else context.log.error({ err: error, draft: one.draft }, 'what was scheduled could not be published; it is tried again')
        }
      }
    },
  }
}

/** Returns the result of a request: the new rollout, or its end. */
function nextOf(change: RolloutChange, rollout: Rollout): [Rollout | 'complete' | 'stop', action: string, detail: Record<string, unknown>] {
  const { percent, segment, complete, stop } = change
  const asked = [percent !== undefined || segment !== undefined, complete === true, stop === true].filter(Boolean).length
  if (asked !== 1) throw wrongState({ member: 'percent, segment, complete or stop' })
  if (complete) return ['complete', 'release.complete', { rollout }]
  if (stop) return ['stop', 'release.stop', { rollout }]
  const to = rolloutOf({ percent: percent ?? rollout.percent, segment: segment ?? rollout.segment })
  return [to, 'release.rollout', { from: rollout, to }]
}

const stopOf = (actor: Actor, reason: string, at: number, figures?: GuardMetrics): ReleaseStop => ({
  at,
  by: actor.name,
  reason,
  automatic: actor.kind === 'guard',
  figures: figures ?? null,
})

/** A new release with the content of an earlier one. @param how with `figures` the release that was live is marked as stopped */
export async function rollBack(
  context: PublishingContext,
  actor: Actor,
  number: number,
  reason: string,
  how: Omit<RollbackRequest, 'reason'> & { action: string; stopCandidate?: (tx: Tx, pointer: Pointer, stop: ReleaseStop) => Promise<void> },
): Promise<ReleaseInfo> {
  const [head, content] = [await context.releases.head(number), await context.served.get(number)]
  if (!head) throw notFound(`release ${number}`)
  if (head.stopped && !how.force) throw new ApiProblem('release_stopped', { data: { release: number, stop: head.stop } })
  if (!content) throw wrongState({ release: number, why: 'not_whole' })
  const shas = await shasOfRelease(context, number)
  const made = await logged(context, actor, async (tx) => {
    const pointer = await context.releases.lock(tx)
    const before = pointer.stable === null ? undefined : await context.releases.headIn(tx, pointer.stable)
    if (how.from !== undefined && (how.from !== pointer.stable || pointer.candidate !== null)) throw wrongState({ live: pointer.stable })
    if (before && before.served === head.served && pointer.candidate === null) throw wrongState({ live: pointer.stable })
    const stop = stopOf(actor, reason, context.now(), how.figures)
    await how.stopCandidate?.(tx, pointer, stop)
    if (how.figures && pointer.stable !== null) await context.releases.mark(tx, pointer.stable, { stopped: true, stop })
    const people = { author: head.author, approver: head.approver, publisher: actor.name }
    const facts = { hash: head.hash, kind: 'rollback' as const, from_number: number, draft: null, note: reason, flows: head.flows }
    const release = await insertRelease(context, tx, { ...facts, ...people, rollout: null, sources: { ...shas } }, content)
    await context.releases.move(tx, pointer, { stable: release.release, candidate: null, rollout: null }, context.now())
    const detail = {
      from: pointer.stable,
      to: number,
      ...(head.stopped && { forced: true }),
      ...(pointer.candidate !== null && { stopped: pointer.candidate }),
    }
    const hashes = { fromHash: before?.hash ?? null, toHash: head.hash }
    return { result: release, entry: { action: how.action, subject: `release ${release.release}`, ...hashes, reason, detail } }
  })
  await show(context, made)
  return infoNow(context, made.release)
}
