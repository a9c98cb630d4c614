import type { CheckThread } from '#console/io/check-thread.ts'
import type { CheckerAnswer } from '#console/io/checker.worker.ts'
import { type Client, ConsoleError } from '#console/io/client.ts'
import { type History, noHistory, redone, undone, withStep } from '#console/io/history.rules.ts'
import type { MergeTexts } from '#console/io/merge-texts.ts'
import { createSaver, type Saver } from '#console/io/saver.ts'
import { withWords } from '#console/io/sources.ts'
import type { UnsavedStore } from '#console/io/unsaved.ts'
import type { Conflict, Workspace, WorkspaceActions, WorkspaceView } from '#console/io/workspace-types.ts'
import { differing, emptyView, lay, withOwnSaves, withSources } from '#console/io/workspace-view.ts'
import type { ConsoleCatalog, Draft, DraftFile, FileSet } from '#language/publish/publishing.ts'
import { takenRoutes } from '#language/publish/taken-routes.ts'

interface WorkspaceOptions {
  client: Client
  of: { draft: number } | { release: number }
  /** False for operators who only read. */
  mayEdit: boolean
  unsaved: UnsavedStore
  /** Starts the checks; `tell` gets their answers. */
  startChecks: (tell: (answer: CheckerAnswer) => void) => CheckThread
  /** Puts what two operators saved in one file together. */
  mergeTexts: MergeTexts
  now?: () => number
  saveDelayMs?: number
}
/** One draft or release that is open in the console. */
export interface OpenWorkspace {
  view(): Workspace
  subscribe(wake: () => void): () => void
  end(): void
}

type Texts = Record<string, string | null>
const editableStates = ['open', 'submitted', 'approved']

export function openWorkspace(options: WorkspaceOptions): OpenWorkspace {
  const { client, of, mayEdit, unsaved, startChecks, mergeTexts, now = Date.now, saveDelayMs = 300 } = options
  const wakes = new Set<() => void>()
  let view: WorkspaceView = { ...emptyView, status: 'loading', release: 'release' in of ? of.release : null }
  let shown: Workspace | undefined
  let history: History = noHistory
  let conflicts: readonly Conflict[] = []
  let ended = false
  let checks: CheckThread | undefined

  const set = (change: Partial<WorkspaceView>) => {
    view = { ...view, ...change }
    shown = undefined
    for (const wake of wakes) wake()
  }
  const draftId = 'draft' in of ? of.draft : undefined
  const versionOf = (path: string) => saver.waiting().get(path)?.version ?? view.saved[path]?.version ?? 0
  /** How many saves were answered, and at which of them a file was saved last: a read that began before does not know of it. */
  let saves = 0
  const savedSince = new Map<string, number>()
  /** The version that a waiting edit was made from, where that is known. */
  const ancestors = new Map<string, string | null>()

  const saver: Saver = createSaver({
    delayMs: saveDelayMs,
    now,
    async send(path, { text, version }) {
      if (draftId === undefined) throw new ConsoleError('not_allowed', 403, '')
      return client.saveFile(draftId, { path, text, version })
    },
    onSaved(path, file) {
      const { [path]: _, ...others } = view.saved
      saves += 1
      savedSince.set(path, saves)
      ancestors.set(path, file.text)
      // A save takes an approval back, so the draft reads as open until it is asked for again.
      const draft = view.draft && view.draft.state !== 'open' ? { ...view.draft, state: 'open' as const, approval: null } : view.draft
      // Version 0 is the text of the base: the draft no longer changes the file.
      set({ saved: file.version === 0 ? others : { ...others, [path]: file }, draft })
    },
    onConflict(path, mine, theirs) {
      const base = ancestors.get(path) ?? null
      const show = () => {
        const newest = saver.waiting().get(path)?.text ?? mine
        conflicts = [...conflicts.filter((one) => one.path !== path), { path, mine: newest, theirs, base }]
        set({ conflicts, save: saver.state() })
      }
      if (base === null || mine === null || theirs.text === null) return show()
      const join = (joined: string | null) => {
        if (ended) return
        if (joined === null || saver.waiting().get(path)?.text !== mine) return show()
        takeTheirs(path, theirs, joined)
        set({ joined: { path, by: theirs.by, version: theirs.version } })
      }
      mergeTexts(path, base, mine, theirs.text).then(join, show)
    },
    onChange() {
      if (draftId !== undefined) unsaved.write(draftId, Object.fromEntries(saver.waiting()))
      set({ save: saver.state(), conflicts })
    },
  })

  /** Puts texts in place, without a step of undo. */
  const put = (texts: Texts, send: boolean) => {
    const files = { ...view.files }
    for (const [path, text] of Object.entries(texts)) {
      if (send && !saver.waiting().has(path)) ancestors.set(path, files[path] ?? null)
      if (text === null) delete files[path]
      else files[path] = text
      // Before the text is shown, so that it is never shown as saved.
      if (send) saver.put(path, { text, version: versionOf(path) })
    }
    set({
      files,
      changed: differing(view.base, files),
      checking: true,
      canUndo: history.done.length > 0,
      canRedo: history.undone.length > 0,
    })
    checks?.change(texts)
  }

  /** The file as somebody else saved it is what this one goes on from, with another text or none. */
  const takeTheirs = (path: string, theirs: DraftFile, text: string | null) => {
    const mine = view.files[path] ?? null
    saver.forget(path)
    ancestors.set(path, theirs.text)
    set({ conflicts, saved: { ...view.saved, [path]: theirs } })
    history = withStep(history, { before: { [path]: mine }, after: { [path]: text }, together: undefined, at: now() })
    put({ [path]: text }, false)
    if (text !== theirs.text) saver.put(path, { text, version: theirs.version })
  }

  const onAnswer = (answer: CheckerAnswer) => {
    if (ended) return
    if (answer.kind === 'broken') return set({ checking: false, broken: { ...view.broken, [answer.part]: answer.message } })
    const { [answer.kind]: _, ...broken } = view.broken
    if (answer.kind === 'problems')
      return set({ problems: [...answer.problems, ...takenRoutes(view.base, view.files)], checking: false, checkMs: answer.ms, broken })
    const { documents, removed, words, unread } = answer.change
    const sources = withSources(view.sources, answer.change.sources)
    const before = view.prepared
    if (documents.length === 0 && removed.length === 0 && Object.keys(words).length === 0 && before) return set({ unread, sources, broken })
    const next = { ...before?.documents }
    for (const key of removed) delete next[key]
    for (const one of documents) next[one.key] = one
    set({
      prepared: { revision: (before?.revision ?? 0) + 1, documents: next, words: withWords(before?.words ?? {}, words) },
      unread,
      sources,
      broken,
    })
  }

  /** @param began how many saves were answered when the read began */
  const take = (
    { release, files: whole, changed: theirs }: FileSet,
    base: FileSet['files'],
    asked: Draft | null,
    known: ConsoleCatalog,
    began: number,
  ) => {
    const { catalog, builds, canRunFlows } = known
    const { files, saved } = withOwnSaves({ files: whole, changed: theirs }, view, (path) => (savedSince.get(path) ?? 0) > began)
    const draft = saves > began && view.draft ? view.draft : asked
    const kept = !restored && draftId !== undefined ? unsaved.read(draftId) : {}
    const editable = mayEdit && draft !== null && editableStates.includes(draft.state)
    restored ||= editable
    if (!editable) for (const path of Object.keys(kept)) delete kept[path]
    for (const [path, edit] of [...saver.waiting(), ...Object.entries(kept)]) lay(files, path, edit.text)
    const first = checks === undefined
    const before = view.files
    set({
      status: 'ready',
      error: null,
      draft,
      release,
      editable,
      base,
      files,
      changed: differing(base, files),
      saved,
      catalog,
      builds,
      canRunFlows,
      checking: true,
    })
    checks ??= startChecks(onAnswer)
    if (first) checks.begin(catalog, files, Object.fromEntries(Object.entries(base).filter(([path, text]) => files[path] !== text)))
    else {
      const texts: Texts = {}
      for (const path of differing(before, files)) texts[path] = files[path] ?? null
      if (Object.keys(texts).length > 0) checks.change(texts)
      else set({ checking: false })
    }
    for (const [path, edit] of Object.entries(kept)) {
      const from = saved[path]
      if (edit.version === (from?.version ?? 0)) ancestors.set(path, from ? from.text : (base[path] ?? null))
      saver.put(path, edit)
    }
  }

  let known: ConsoleCatalog | undefined
  /** Whether the edits that an earlier visit left in this browser were taken up. */
  let restored = false
  let reads = 0
  let newestTaken = 0
  const bases = new Map<number, FileSet['files']>()
  const baseOf = async ({ release, files, changed }: FileSet) => {
    const base = bases.get(release) ?? (Object.keys(changed).length === 0 ? files : (await client.files({ release })).files)
    bases.set(release, base)
    return base
  }
  const read = async () => {
    reads += 1
    const number = reads
    const began = saves
    try {
      const [[files, base], draft, catalog] = await Promise.all([
        client.files(of).then(async (set) => [set, await baseOf(set)] as const),
        draftId === undefined ? null : client.draft(draftId),
        known ?? client.catalog(),
      ])
      known = catalog
      // Answers may arrive in another order than the reads began in.
      if (ended || number < newestTaken) return
      newestTaken = number
      take(files, base, draft, catalog, began)
      if (saves > began) void read()
    } catch (error) {
      if (ended || number < newestTaken) return
      const refusal = error instanceof ConsoleError ? error : new ConsoleError('internal', 500, String(error))
      // The shown state stays when a later read fails.
      set(view.status === 'ready' ? { error: refusal } : { status: 'failed', error: refusal })
    }
  }

  const edit = (texts: Texts, together?: string) => {
    if (!view.editable) return
    const after: Texts = {}
    const before: Texts = {}
    for (const [path, text] of Object.entries(texts)) {
      const was = view.files[path] ?? null
      if (was === text) continue
      before[path] = was
      after[path] = text
    }
    if (Object.keys(after).length === 0) return
    history = withStep(history, { before, after, together, at: now() })
    view = { ...view, editedAt: performance.now() }
    put(after, true)
  }
  const travel = (step: ReturnType<typeof undone>) => {
    if (!step || !view.editable) return
    history = step.history
    put(step.texts as Texts, true)
  }

  const actions: WorkspaceActions = {
    newest: () => view.files,
    edit: (path, text, together) => edit({ [path]: text }, together),
    editAll: edit,
    drop: (path) => edit({ [path]: null }),
    revert: (path) => edit({ [path]: view.base[path] ?? null }),
    undo: () => travel(undone(history)),
    redo: () => travel(redone(history)),
    flush: () => saver.flush(),
    resolve(path, choice) {
      const conflict = conflicts.find((one) => one.path === path)
      if (!conflict) return
      conflicts = conflicts.filter((one) => one !== conflict)
      takeTheirs(path, conflict.theirs, choice === 'mine' ? (view.files[path] ?? null) : conflict.theirs.text)
    },
    refresh: read,
  }

  void read()
  return {
    view: () => (shown ??= { ...view, ...actions }),
    subscribe(wake) {
      wakes.add(wake)
      return () => wakes.delete(wake)
    },
    end() {
      ended = true
      saver.end()
      checks?.end()
      wakes.clear()
    },
  }
}
