import { withChanges } from '#config-server/publishing/drafts/sources.rules.ts'
import { putTexts } from '#config-server/publishing/drafts/text.store.ts'
import { mustBe, reasonOf, rolloutOf } from '#config-server/publishing/drafts/wishes.rules.ts'
import type { Actor, Publishing, PublishWish, RollbackWish, RolloutChange } from '#config-server/publishing/publishing.ts'
import { infoOf, type NewRelease, type Pointer } from '#config-server/publishing/release.store.ts'
import { checksFailed, type Review } from '#config-server/publishing/review.ts'
import { lockDraft, logged, notFound, partsOf, type Room, readDraft, sameSources, shasOfRelease } from '#config-server/publishing/room.ts'
import { makeRelease, type Release, revisionsOf } from '#config-server/release.rules.ts'
import { consoleProblems } from '#contract/console.problems.ts'
import { type AnyProblemCode, ApiProblem } from '#contract/problem.ts'
import type { FlowState, GuardFigures, ReleaseInfo, ReleaseStop, Rollout, Schedule } from '#language/publish/publishing.ts'
import { publishingLimits } from '#language/publish/publishing-limits.ts'
import type { Tx } from '#server-kit/db/db.ts'

export type PointerWork = Pick<Publishing, 'publish' | 'cancelSchedule' | 'rollout' | 'rollback' | 'stop'>

export interface PointerRoom {
  work: PointerWork
  /** Publishes what was scheduled for now or before. */
  fire(): Promise<void>
}

const wrongState = (data: Record<string, unknown>) => new ApiProblem('state_wrong', { data: data })

/** Writes a release with everything that it consists of; nobody is told of it yet. @returns it, with its number */
export async function insertRelease(room: Room, tx: Tx, row: NewRelease, content: Release): Promise<Release> {
  const number = await room.releases.nextNumber(tx)
  const release = makeRelease(number, [...content.documents.values()], content.texts)
  await putTexts(
    tx,
    revisionsOf(release).map((one) => [one.sha256, one.canonical] as const),
  )
  await room.releases.insert(tx, row, release, room.now())
  return release
}

/** After a change was stored: what is live is brought to the clients. That it failed is no reason to say that nothing was stored. */
export async function show(room: Room, made?: Release): Promise<void> {
  if (made) room.served.add(made)
  await room.served
    .refresh()
    .catch((error: unknown) => room.log.error({ err: error }, 'the live release could not be shown; it is tried again'))
}

export async function infoNow(room: Room, number: number): Promise<ReleaseInfo> {
  const head = await room.releases.head(number)
  if (!head) throw notFound(`release ${number}`)
  return infoOf(head, await room.releases.pointer())
}

export function createPointerWork(room: Room, review: Review): PointerRoom {
  /** Ends what is being rolled out, where anything is. */
  async function stopCandidate(tx: Tx, pointer: Pointer, stop: ReleaseStop): Promise<void> {
    if (pointer.candidate === null) return
    await room.releases.mark(tx, pointer.candidate, { stopped: true, stop, ...(pointer.rollout && { rollout: pointer.rollout }) })
  }

  /** @param schedule the one that fires */
  async function publishNow(
    actor: Actor,
    draft: number,
    wish: { hash: string; reason: string; rollout: Rollout | null; emergency?: boolean },
    schedule?: number,
  ) {
    const parts = await partsOf(room, draft)
    const { base, hash } = parts.row
    if (hash !== wish.hash) throw new ApiProblem('hash_changed', { data: { hash } })
    if (parts.row.state !== 'approved') throw new ApiProblem('not_approved', { data: { state: parts.row.state } })
    const { checked, release: content } = await review.lookAgain(parts)
    if (!content) throw checksFailed(checked)
    const run = await room.drafts.run(wish.hash)
    if (run?.state === 'failed') throw new ApiProblem('checks_failed', { data: { flows: run.results.filter((one) => !one.ok) } })
    const flows: FlowState = run?.state === 'passed' ? 'passed' : 'not-run'

    const made = await logged(room, actor, async (tx) => {
      const pointer = await room.releases.lock(tx)
      const row = await lockDraft(room, tx, draft)
      const approval = await room.drafts.approval(tx, draft)
      if (row.hash !== wish.hash) throw new ApiProblem('hash_changed', { data: { hash: row.hash } })
      if (row.state !== 'approved' || approval?.hash !== wish.hash) throw new ApiProblem('not_approved', { data: { state: row.state } })
      if (flows !== 'passed' && !approval.unrun_flows) throw new ApiProblem('flows_not_run')
      if (pointer.stable === null || row.base !== base || !(await sameSources(room, base, pointer.stable, tx)))
        throw new ApiProblem('stale_base', { data: { base, live: pointer.stable } })
      if (pointer.candidate !== null) throw wrongState({ candidate: pointer.candidate })
      const files = await room.drafts.files(tx, draft)
      const changes = files.map((file) => [file.path, file.sha256] as const)
      const sources = withChanges(await shasOfRelease(room, base, tx), changes)
      const before = await room.releases.headIn(tx, pointer.stable)
      const people = { author: row.author, approver: approval.by_name, publisher: actor.name }
      const facts = { hash: wish.hash, kind: 'publish' as const, from_number: pointer.stable, draft, note: wish.reason, flows }
      const emergency = wish.emergency === true
      const release = await insertRelease(room, tx, { ...facts, ...people, emergency, rollout: wish.rollout, sources }, content)
      const to = wish.rollout
        ? { stable: pointer.stable, candidate: release.release, rollout: wish.rollout }
        : { stable: release.release, candidate: null, rollout: null }
      await room.releases.move(tx, pointer, to, room.now())
      await room.drafts.endSchedule(
        tx,
        draft,
        schedule === undefined ? 'cancelled' : 'done',
        schedule === undefined ? 'it was published before' : '',
      )
      await room.drafts.change(tx, draft, { state: 'published', release: release.release, updated_at: room.now() })
      const detail = {
        draft,
        flows,
        ...(emergency && { emergency }),
        ...(wish.rollout && { rollout: wish.rollout }),
        ...(schedule !== undefined && { schedule }),
      }
      const hashes = { fromHash: before?.hash ?? null, toHash: wish.hash }
      const entry = { action: 'release.publish', subject: `release ${release.release}`, ...hashes, reason: wish.reason, detail }
      return { result: release, entry }
    })
    await show(room, made)
    room.tell({ about: 'draft', id: draft })
    return infoNow(room, made.release)
  }

  async function scheduleIt(
    actor: Actor,
    draft: number,
    wish: PublishWish & { at: number },
    reason: string,
    rollout: Rollout | null,
  ): Promise<Schedule> {
    if (wish.at - room.now() > publishingLimits.scheduleAheadMsMax)
      throw new ApiProblem('too_large', { data: { member: 'at', aheadMsMax: publishingLimits.scheduleAheadMsMax } })
    const schedule = await logged(room, actor, async (tx) => {
      const pointer = await room.releases.pointerIn(tx)
      const row = await lockDraft(room, tx, draft)
      if (row.hash !== wish.hash) throw new ApiProblem('hash_changed', { data: { hash: row.hash } })
      if (row.state !== 'approved') throw new ApiProblem('not_approved', { data: { state: row.state } })
      if (pointer.stable === null || !(await sameSources(room, row.base, pointer.stable, tx)))
        throw new ApiProblem('stale_base', { data: { base: row.base, live: pointer.stable } })
      await room.drafts.endSchedule(tx, draft, 'cancelled', 'another time was set')
      const plan = { draft, hash: wish.hash, at: wish.at, by_name: actor.name, rollout, note: reason }
      const id = await room.drafts.schedule(tx, plan)
      const result: Schedule = { id, draft, hash: wish.hash, at: wish.at, by: actor.name, rollout, state: 'waiting', reason: '' }
      const detail = { at: wish.at, ...(rollout && { rollout }) }
      return { result, entry: { action: 'draft.schedule', subject: `draft ${draft}`, toHash: wish.hash, reason, detail } }
    })
    room.tell({ about: 'draft', id: draft })
    return schedule
  }

  const work: PointerWork = {
    async publish(actor, draft, wish) {
      mustBe(actor, 'publisher')
      const reason = reasonOf(wish.reason)
      const rollout = wish.rollout ? rolloutOf(wish.rollout) : null
      const { at, emergency = false } = wish
      if (emergency && at !== undefined) throw wrongState({ member: 'emergency', why: 'scheduled' })
      return at === undefined || at <= room.now()
        ? publishNow(actor, draft, { hash: wish.hash, reason, rollout, emergency })
        : scheduleIt(actor, draft, { ...wish, at }, reason, rollout)
    },
    async cancelSchedule(actor, draft, reason) {
      mustBe(actor, 'publisher')
      const said = reasonOf(reason)
      await logged(room, actor, async (tx) => {
        const row = await lockDraft(room, tx, draft)
        if (!(await room.drafts.endSchedule(tx, draft, 'cancelled', said))) throw wrongState({ schedule: null })
        return { result: undefined, entry: { action: 'schedule.cancel', subject: `draft ${draft}`, toHash: row.hash, reason: said } }
      })
      room.tell({ about: 'draft', id: draft })
      return readDraft(room, draft)
    },
    async rollout(actor, change) {
      mustBe(actor, 'publisher')
      const reason = reasonOf(change.reason)
      const number = await logged(room, actor, async (tx) => {
        const pointer = await room.releases.lock(tx)
        const { stable, candidate, rollout } = pointer
        if (stable === null || candidate === null || !rollout) throw wrongState({ candidate: null })
        if (change.release !== undefined && change.release !== candidate) throw wrongState({ candidate })
        const [to, what, detail] = nextOf(change, rollout)
        const head = await room.releases.headIn(tx, candidate)
        const before = await room.releases.headIn(tx, stable)
        const now = room.now()
        if (to === 'complete') {
          await room.releases.mark(tx, candidate, { live_at: now, rollout })
          await room.releases.move(tx, pointer, { stable: candidate, candidate: null, rollout: null }, now)
        } else if (to === 'stop') {
          await stopCandidate(tx, pointer, stopOf(actor, reason, now, change.figures))
          await room.releases.move(tx, pointer, { stable, candidate: null, rollout: null }, now)
        } else {
          await room.releases.mark(tx, candidate, { rollout: to })
          await room.releases.move(tx, pointer, { stable, candidate, rollout: to }, now)
        }
        const [fromHash, toHash] = to === 'stop' ? [head?.hash, before?.hash] : [before?.hash, head?.hash]
        const hashes = { fromHash: fromHash ?? null, toHash: toHash ?? null }
        return { result: candidate, entry: { action: what, subject: `release ${candidate}`, ...hashes, reason, detail } }
      })
      await show(room)
      return infoNow(room, number)
    },
    async rollback(actor, number, { reason, ...wish }) {
      mustBe(actor, 'publisher')
      return rollBack(room, actor, number, reasonOf(reason), { action: 'release.rollback', stopCandidate, ...wish })
    },
    stop: (actor, reason, release, figures) => work.rollout(actor, { stop: true, reason, release, figures }),
  }

  async function refuse(one: { draft: number; hash: string; by: string }, problem: ApiProblem<AnyProblemCode>): Promise<void> {
    const actor: Actor = { name: one.by, roles: [], kind: 'system' }
    await logged(room, actor, async (tx) => {
      await room.drafts.lock(tx, one.draft)
      if (!(await room.drafts.endSchedule(tx, one.draft, 'refused', problem.code))) return { result: undefined }
      const entry = { action: 'schedule.refused', subject: `draft ${one.draft}`, toHash: one.hash, reason: problem.message.slice(0, 500) }
      return { result: undefined, entry }
    })
    room.tell({ about: 'draft', id: one.draft })
  }

  return {
    work,
    async fire() {
      for (const one of await room.drafts.due(room.now())) {
        const actor: Actor = { name: one.by, roles: [], kind: 'system' }
        try {
          await publishNow(actor, one.draft, { hash: one.hash, reason: one.note, rollout: one.rollout }, one.id)
        } catch (error) {
          // Another node was quicker: then nothing waits any more, and nothing is written.
          // Other problems, such as a busy database, pass by themselves.
          if (error instanceof ApiProblem && error.code in consoleProblems) await refuse(one, error)
          else room.log.error({ err: error, draft: one.draft }, 'what was scheduled could not be published; it is tried again')
        }
      }
    },
  }
}

/** What a wish comes to: the rollout as it shall be, or its end. */
function nextOf(change: RolloutChange, rollout: Rollout): [Rollout | 'complete' | 'stop', action: string, detail: Record<string, unknown>] {
  const { percent, segment, complete, stop } = change
  const asked = [percent !== undefined || segment !== undefined, complete === true, stop === true].filter(Boolean).length
  if (asked !== 1) throw wrongState({ member: 'percent, segment, complete or stop' })
  if (complete) return ['complete', 'release.complete', { rollout }]
  if (stop) return ['stop', 'release.stop', { rollout }]
  const to = rolloutOf({ percent: percent ?? rollout.percent, segment: segment ?? rollout.segment })
  return [to, 'release.rollout', { from: rollout, to }]
}

const stopOf = (actor: Actor, reason: string, at: number, figures?: GuardFigures): ReleaseStop => ({
  ...{ at, by: actor.name, reason, automatic: actor.kind === 'guard', figures: figures ?? null },
})

/** A new release with the content of an earlier one. @param how with `figures` the release that was live is marked as stopped */
export async function rollBack(
  room: Room,
  actor: Actor,
  number: number,
  reason: string,
  how: Omit<RollbackWish, 'reason'> & { action: string; stopCandidate?: (tx: Tx, pointer: Pointer, stop: ReleaseStop) => Promise<void> },
): Promise<ReleaseInfo> {
  const [head, content] = [await room.releases.head(number), await room.served.get(number)]
  if (!head) throw notFound(`release ${number}`)
  if (head.stopped && !how.force) throw new ApiProblem('release_stopped', { data: { release: number, stop: head.stop } })
  if (!content) throw wrongState({ release: number, why: 'not_whole' })
  const shas = await shasOfRelease(room, number)
  const made = await logged(room, actor, async (tx) => {
    const pointer = await room.releases.lock(tx)
    const before = pointer.stable === null ? undefined : await room.releases.headIn(tx, pointer.stable)
    if (how.from !== undefined && (how.from !== pointer.stable || pointer.candidate !== null)) throw wrongState({ live: pointer.stable })
    if (before && before.served === head.served && pointer.candidate === null) throw wrongState({ live: pointer.stable })
    const stop = stopOf(actor, reason, room.now(), how.figures)
    await how.stopCandidate?.(tx, pointer, stop)
    if (how.figures && pointer.stable !== null) await room.releases.mark(tx, pointer.stable, { stopped: true, stop })
    const people = { author: head.author, approver: head.approver, publisher: actor.name }
    const facts = { hash: head.hash, kind: 'rollback' as const, from_number: number, draft: null, note: reason, flows: head.flows }
    const release = await insertRelease(room, tx, { ...facts, ...people, rollout: null, sources: { ...shas } }, content)
    await room.releases.move(tx, pointer, { stable: release.release, candidate: null, rollout: null }, room.now())
    const detail = {
      from: pointer.stable,
      to: number,
      ...(head.stopped && { forced: true }),
      ...(pointer.candidate !== null && { stopped: pointer.candidate }),
    }
    const hashes = { fromHash: before?.hash ?? null, toHash: head.hash }
    return { result: release, entry: { action: how.action, subject: `release ${release.release}`, ...hashes, reason, detail } }
  })
  await show(room, made)
  return infoNow(room, made.release)
}
