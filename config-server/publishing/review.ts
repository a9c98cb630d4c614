import type { Checked } from '#config-server/check.ts'
import { languagesOf, sourcesOf } from '#config-server/files.ts'
import {
  liveOrNone,
  lockDraft,
  logged,
  type PublishingContext,
  partsOf,
  readDraft,
  sameSources,
  shasOfRelease,
  textsOfDraft,
  textsOfRelease,
} from '#config-server/publishing/context.ts'
import type { DraftParts } from '#config-server/publishing/drafts/draft.store.ts'
import { changesOf, hashOf, shasOf, type Texts } from '#config-server/publishing/drafts/sources.rules.ts'
import { mustBe, noteOf, reasonOf } from '#config-server/publishing/drafts/validation.rules.ts'
import { impactOf } from '#config-server/publishing/impact.rules.ts'
import { touchesMoney } from '#config-server/publishing/money.rules.ts'
import type { Actor, Publishing } from '#config-server/publishing/publishing.ts'
import { makeRelease, type Release, revisionOf, textRevisions } from '#config-server/release.rules.ts'
import { type AnyProblemCode, ApiProblem } from '#contract/problem.ts'
import { diffSets } from '#language/edit/diff.ts'
import { withCopies, withoutMarks } from '#language/edit/words.ts'
import { withTextLines } from '#language/lint/texts.ts'
import type { CheckReport, DocumentDiff, FlowRun } from '#language/publish/publishing.ts'
import { publishingLimits } from '#language/publish/publishing-limits.ts'
import { takenRoutes } from '#language/publish/taken-routes.ts'
import type { LintProblem, TextCatalog } from '#language/types/catalog.ts'
import type { Tx } from '#server-kit/db/db.ts'

type ReviewWork = Pick<
  Publishing,
  'check' | 'flows' | 'keepFlows' | 'submit' | 'withdraw' | 'approve' | 'reject' | 'diff' | 'prepared' | 'impact'
>

/** A whole set that was looked at. */
export interface Looked {
  checked: Checked
  words: TextCatalog
  /** Undefined where it may not be published. Its number is none yet. */
  release: Release | undefined
}

const { fileBytesMax, filesPerSetMax, setBytesMax } = publishingLimits

/** Returns the parts of a set that exceed a limit. */
function oversized(files: Texts): LintProblem[] {
  const wrong = (file: string, message: string): LintProblem => ({
    check: 'limits',
    severity: 'error',
    file,
    line: 1,
    pointer: '',
    message,
  })
  const sizes = Object.entries(files).map(([file, text]) => ({ file, bytes: Buffer.byteLength(text) }))
  const all = sizes.reduce((sum, one) => sum + one.bytes, 0)
  return [
    ...sizes.filter((one) => one.bytes > fileBytesMax).map((one) => wrong(one.file, `a file has at most ${fileBytesMax} bytes`)),
    ...(sizes.length > filesPerSetMax ? [wrong('', `there are at most ${filesPerSetMax} files, not ${sizes.length}`)] : []),
    ...(all > setBytesMax ? [wrong('', `all files together have at most ${setBytesMax} bytes, not ${all}`)] : []),
  ]
}

/**
 * Parse, lint and prepare of a set.
 * @param developing words that a language lacks are shown in English with a mark, and do not forbid the release; pages that live on planned calls are open
 */
export function look(context: PublishingContext, files: Texts, developing = false): Looked {
  const tooLarge = oversized(files)
  if (tooLarge.length) return { checked: { documents: [], prepared: [], problems: tooLarge }, words: {}, release: undefined }
  const { files: documents, texts: written, problems } = sourcesOf(Object.entries(files).map(([file, text]) => ({ file, text })))
  const texts = developing ? withCopies(written, languagesOf(files)) : written
  const found = context.check(documents, developing ? withoutMarks(texts) : texts, developing)
  const seen = { ...found, problems: withTextLines(found.problems, (file) => files[file]) }
  const checked = problems.length ? { ...seen, problems: [...problems, ...seen.problems], prepared: [] } : seen
  const release = checked.problems.length ? undefined : makeRelease(0, checked.prepared.map(revisionOf), textRevisions(texts))
  return { checked, words: texts, release }
}

/** Parse, lint and prepare of a draft's set, and what only shows beside the release that the draft began from. */
function lookBeside(context: PublishingContext, before: Texts, after: Texts): Looked {
  const looked = look(context, after)
  const taken = takenRoutes(before, after)
  if (taken.length === 0) return looked
  const { problems, warnings = [], ...checked } = looked.checked
  const errors = taken.filter(({ severity }) => severity === 'error')
  const all = { ...checked, problems: [...problems, ...errors], warnings: [...warnings, ...taken.filter((one) => !errors.includes(one))] }
  return errors.length ? { ...looked, checked: { ...all, prepared: [] }, release: undefined } : { ...looked, checked: all }
}

interface Memory {
  hash: string
  looked: Looked
  diff: DocumentDiff[]
  money: boolean
}
const memoryMax = 3
/** Saves that may come in between while a draft is looked at. */
const triesMax = 5

export function checksFailed(checked: Checked): ApiProblem<AnyProblemCode> {
  return new ApiProblem('checks_failed', { data: { problems: checked.problems.slice(0, 100) } })
}

export interface Review {
  work: ReviewWork
  /** Once more, from the texts. */
  lookAgain(parts: DraftParts): Promise<Looked>
}

export function createReview(context: PublishingContext): Review {
  /** The last few sets that were looked at, the newest last. */
  let memory: Memory[] = []

  /** Sources of a draft as they were when its row was read. @throws hash_changed when somebody saved in between */
  async function wholeOf(parts: DraftParts): Promise<Texts> {
    const { id, base, hash } = parts.row
    const texts = await textsOfDraft(context, parts)
    if (hashOf(shasOf(texts)) === (hash ?? hashOf(await shasOfRelease(context, base)))) return texts
    throw new ApiProblem('hash_changed', { data: { hash: (await partsOf(context, id)).row.hash } })
  }
  async function seen(parts: DraftParts): Promise<Memory> {
    const { base, hash } = parts.row
    const name = `${base} ${hash}`
    const known = memory.find((one) => one.hash === name)
    if (known) return known
    const [before, after] = [await textsOfRelease(context, base), await wholeOf(parts)]
    const changes = [...changesOf(before, after).keys()].map((path) => ({ before: before[path], after: after[path] }))
    const made: Memory = {
      hash: name,
      looked: lookBeside(context, before, after),
      diff: diffSets(before, after, context.catalog),
      money: touchesMoney(changes, context.catalog.calls),
    }
    memory = [...memory, made].slice(-memoryMax)
    return made
  }

  async function change(
    actor: Actor,
    id: number,
    work: (tx: Tx) => Promise<{ action: string; hash?: string | null; note?: string; detail?: Record<string, unknown> }>,
  ) {
    await logged(context, actor, async (tx) => {
      const { action, hash, note, detail } = await work(tx)
      const entry = { action, subject: `draft ${id}`, toHash: hash ?? null, reason: note ?? '', detail: detail ?? {} }
      return { result: undefined, entry }
    })
    context.tell({ about: 'draft', id })
    return readDraft(context, id)
  }
  async function mustStand(tx: Tx, base: number): Promise<void> {
    const { stable } = await context.releases.pointerIn(tx)
    if (stable === null || !(await sameSources(context, base, stable, tx)))
      throw new ApiProblem('stale_base', { data: { base, live: stable } })
  }
  /** As it is now, with what was found in it; once more when somebody saves meanwhile. */
  async function seenNow(draft: number): Promise<{ parts: DraftParts; found: Memory }> {
    for (let tries = 1; ; tries++) {
      const parts = await partsOf(context, draft)
      try {
        return { parts, found: await seen(parts) }
      } catch (error) {
        if (!(error instanceof ApiProblem) || error.code !== 'hash_changed' || tries >= triesMax) throw error
      }
    }
  }
  const flowsOf = async (hash: string | null): Promise<FlowRun | null> => (hash === null ? null : context.drafts.run(hash))

  const work: ReviewWork = {
    async check(draft) {
      const from = performance.now()
      const { parts, found } = await seenNow(draft)
      const { looked, diff, money } = found
      const { release, checked } = looked
      return {
        hash: parts.row.hash,
        ok: release !== undefined,
        problems: [...checked.problems, ...(checked.warnings ?? [])],
        reach: release ? impactOf(release.documents, context.served.history(), context.builds()) : [],
        diff,
        screens: [...new Set(diff.flatMap((one) => one.screens))].sort(),
        flows: await flowsOf(parts.row.hash),
        canRunFlows: await context.canRunFlows(),
        touchesMoney: money,
        ms: Math.round(performance.now() - from),
      } satisfies CheckReport
    },
    async flows(draft) {
      return flowsOf((await partsOf(context, draft)).row.hash)
    },
    async keepFlows(actor, draft, run) {
      const at = context.now()
      await logged(context, actor, async (tx) => {
        await context.drafts.keepRun(tx, run, at)
        if (run.state === 'running') return { result: undefined }
        const failed = run.results.filter((one) => !one.ok).map((one) => one.flow)
        const detail = { state: run.state, total: run.total, failed }
        return { result: undefined, entry: { action: 'draft.flows', subject: `draft ${draft}`, toHash: run.hash, detail } }
      })
      context.tell({ about: 'flows', id: draft })
    },
    async submit(actor, draft, { note }) {
      mustBe(actor, 'editor')
      const said = noteOf(note)
      const parts = await partsOf(context, draft)
      if (parts.row.state !== 'open' || parts.row.hash === null) throw new ApiProblem('state_wrong', { data: { state: parts.row.state } })
      const { looked } = await seen(parts)
      if (!looked.release) throw checksFailed(looked.checked)
      return change(actor, draft, async (tx) => {
        const row = await lockDraft(context, tx, draft)
        if (row.hash !== parts.row.hash) throw new ApiProblem('hash_changed', { data: { hash: row.hash } })
        if (row.state !== 'open') throw new ApiProblem('state_wrong', { data: { state: row.state } })
        await mustStand(tx, row.base)
        const hands = row.hands.includes(actor.name) ? row.hands : [...row.hands, actor.name]
        const now = { state: 'submitted', submitted_by: actor.name, rejection: null, hands, updated_at: context.now() } as const
        await context.drafts.change(tx, draft, now)
        return { action: 'draft.submit', hash: row.hash, note: said }
      })
    },
    async withdraw(actor, draft) {
      mustBe(actor, 'editor')
      return change(actor, draft, async (tx) => {
        const row = await lockDraft(context, tx, draft)
        if (row.state === 'open') throw new ApiProblem('state_wrong', { data: { state: row.state } })
        await context.drafts.unapprove(tx, draft)
        await context.drafts.endSchedule(tx, draft, 'cancelled', 'the draft was withdrawn')
        await context.drafts.change(tx, draft, { state: 'open', submitted_by: null, updated_at: context.now() })
        return { action: 'draft.withdraw', hash: row.hash }
      })
    },
    async approve(actor, draft, { hash, note, unrunFlows }) {
      mustBe(actor, 'approver')
      const [said, unrun] = [noteOf(note), noteOf(unrunFlows, 'unrunFlows')]
      const parts = await partsOf(context, draft)
      if (parts.row.hash !== hash) throw new ApiProblem('hash_changed', { data: { hash: parts.row.hash } })
      const { looked, money } = await seen(parts)
      if (!looked.release) throw checksFailed(looked.checked)
      if (money && actor.kind === 'operator' && !actor.roles.includes('administrator'))
        throw new ApiProblem('not_allowed', { data: { roles: ['administrator'], why: 'touches_money' } })
      const flows = await flowsOf(hash)
      if (flows?.state === 'failed') throw new ApiProblem('checks_failed', { data: { flows: flows.results.filter((one) => !one.ok) } })
      if (flows?.state !== 'passed' && !unrun) throw new ApiProblem('flows_not_run')
      return change(actor, draft, async (tx) => {
        const row = await lockDraft(context, tx, draft)
        if (row.hash !== hash) throw new ApiProblem('hash_changed', { data: { hash: row.hash } })
        if (row.state !== 'submitted') throw new ApiProblem('state_wrong', { data: { state: row.state } })
        const own = [row.author, row.submitted_by ?? '', ...row.hands].some((name) => name.toLowerCase() === actor.name.toLowerCase())
        if (own) throw new ApiProblem('own_draft')
        await mustStand(tx, row.base)
        const unrun_flows = flows?.state === 'passed' ? '' : unrun
        await context.drafts.approve(tx, { draft, hash, by_name: actor.name, at: context.now(), note: said, unrun_flows })
        await context.drafts.change(tx, draft, { state: 'approved', updated_at: context.now() })
        return { action: 'draft.approve', hash, note: said, detail: { unrunFlows: unrun_flows } }
      })
    },
    async reject(actor, draft, { hash, reason }) {
      mustBe(actor, 'approver')
      const said = reasonOf(reason)
      return change(actor, draft, async (tx) => {
        const row = await lockDraft(context, tx, draft)
        if (row.hash !== hash) throw new ApiProblem('hash_changed', { data: { hash: row.hash } })
        if (row.state === 'open') throw new ApiProblem('state_wrong', { data: { state: row.state } })
        const at = context.now()
        await context.drafts.unapprove(tx, draft)
        await context.drafts.endSchedule(tx, draft, 'cancelled', 'the draft was sent back')
        await context.drafts.change(tx, draft, { state: 'open', rejection: { by: actor.name, at, reason: said }, updated_at: at })
        return { action: 'draft.reject', hash, note: said }
      })
    },
    async diff(number, against) {
      const head = await context.releases.head(number)
      if (!head) throw new ApiProblem('not_found', { data: { what: `release ${number}` } })
      const other = against ?? head.from_number ?? number - 1
      const before = other > 0 ? await textsOfRelease(context, other) : {}
      return diffSets(before, await textsOfRelease(context, number), context.catalog)
    },
    async prepared(draft) {
      const { looked } = (await seenNow(draft)).found
      if (!looked.release) throw checksFailed(looked.checked)
      return looked.release
    },
    async impact() {
      liveOrNone(context)
      return impactOf(context.served.stable()?.documents ?? new Map(), context.served.history(), context.builds())
    },
  }
  return { work, lookAgain: async (parts) => lookBeside(context, await textsOfRelease(context, parts.row.base), await wholeOf(parts)) }
}
