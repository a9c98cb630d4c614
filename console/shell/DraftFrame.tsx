import { useEffect, useRef, useState } from 'react'
import { Outlet, useParams } from 'react-router-dom'
import { startCheckThread } from '#console/io/check-thread.ts'
import { useConsole, useMay } from '#console/io/console.ts'
import { mergeTexts } from '#console/io/merge-texts.ts'
import { createUnsavedStore } from '#console/io/unsaved.ts'
import { useWorkspace, WorkspaceContext } from '#console/io/useWorkspace.ts'
import { useLocaleTag, useWords } from '#console/io/words.ts'
import { type OpenWorkspace, openWorkspace } from '#console/io/workspace.ts'
import { Button } from '#console/parts/Button.tsx'
import { Dialog } from '#console/parts/dialog/Dialog.tsx'
import { EmptyState, ErrorState, Skeleton } from '#console/parts/EmptyState.tsx'
import { JsonDiff } from '#console/parts/JsonDiff.tsx'
import { useToast } from '#console/parts/Toast.tsx'
import { when } from '#console/parts/when.ts'
import { DraftBar } from '#console/shell/DraftBar.tsx'
import styles from '#console/shell/DraftFrame.module.css'
import { typing } from '#console/shell/KeysDialog.tsx'
import { useUndo } from '#console/shell/useUndo.ts'

/** Opens the workspace of the address and keeps it open across its pages. */
function useOpened(of: { draft: number } | { release: number } | null): OpenWorkspace | null {
  const { client, me, onEvent } = useConsole()
  const may = useMay()
  const [open, setOpen] = useState<OpenWorkspace | null>(null)
  const name = me?.operator.name ?? ''
  const mayEdit = may('editor')
  const draft = of && 'draft' in of ? of.draft : null
  const release = of && 'release' in of ? of.release : null
  useEffect(() => {
    if (draft === null && release === null) return
    const made = openWorkspace({
      client,
      of: draft !== null ? { draft } : { release: release ?? 0 },
      mayEdit,
      unsaved: createUnsavedStore(localStorage, name),
      mergeTexts,
      startChecks: (tell) => startCheckThread(tell),
    })
    setOpen(made)
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = onEvent((event) => {
      if (event && !(event.about === 'draft' && event.id === draft) && event.about !== 'release') return
      clearTimeout(timer)
      timer = setTimeout(() => void made.view().refresh(), 400)
    })
    return () => {
      clearTimeout(timer)
      stop()
      // Sends pending edits; they are also stored in this browser.
      void made.view().flush()
      made.end()
      setOpen(null)
    }
  }, [client, draft, release, mayEdit, name, onEvent])
  return open
}

/** The frame of the pages of one draft, which share one workspace. */
export function DraftFrame() {
  const { id = '' } = useParams()
  const number = /^\d{1,9}$/.test(id) ? Number(id) : null
  const open = useOpened(number === null ? null : { draft: number })
  const say = useWords()
  if (number === null) return <EmptyState title={say('shell.draft.none')} />
  return (
    <WorkspaceContext value={open}>
      <Inside />
    </WorkspaceContext>
  )
}

function Inside() {
  const say = useWords()
  const workspace = useWorkspace()
  const { status, error, draft, refresh, save, joined } = workspace
  const toast = useToast()
  const history = useUndo()
  const latest = useRef({ ...workspace, ...history })
  latest.current = { ...workspace, ...history }
  const unsaved = save.pending.length > 0
  useEffect(() => {
    if (joined) toast.good(say('shell.conflict.joined', { name: joined.by, path: joined.path }))
  }, [joined, toast, say])

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !(event.ctrlKey || event.metaKey)) return
      const key = event.key.toLowerCase()
      const act = key === 's' ? 'save' : key === 'z' ? (event.shiftKey ? 'redo' : 'undo') : key === 'y' ? 'redo' : undefined
      if (!act || (act !== 'save' && typing(event))) return
      event.preventDefault()
      if (act === 'save') void latest.current.flush()
      else void latest.current[act]()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  useEffect(() => {
    if (!unsaved) return
    const onLeave = (event: BeforeUnloadEvent) => {
      void latest.current.flush()
      event.preventDefault()
    }
    addEventListener('beforeunload', onLeave)
    return () => removeEventListener('beforeunload', onLeave)
  }, [unsaved])

  if (status === 'failed' && error) {
    if (error.code === 'not_found') return <EmptyState title={say('shell.draft.none')} />
    return <ErrorState error={error} again={() => void refresh()} />
  }
  if (status !== 'ready' || !draft)
    return (
      <div className={styles.wait}>
        <Skeleton rows={8} />
      </div>
    )
  return (
    <div className={styles.frame}>
      <DraftBar />
      <div className={styles.page}>
        <Outlet />
      </div>
      <ConflictDialog />
    </div>
  )
}

/** Shows both texts of a file that two operators saved. The operator chooses one; undo brings the other back. */
function ConflictDialog() {
  const say = useWords()
  const tag = useLocaleTag()
  const { conflicts, files, resolve } = useWorkspace()
  const [later, setLater] = useState<string | null>(null)
  const conflict = conflicts.find(({ path }) => path !== later) ?? null
  if (!conflict) return null
  const { path, theirs } = conflict
  const mine = files[path] ?? null
  return (
    <Dialog
      open
      wide
      modal
      onClose={() => setLater(path)}
      title={say('shell.conflict.title')}
      foot={
        <>
          <Button onClick={() => resolve(path, 'theirs')}>{say('shell.conflict.take_theirs', { name: theirs.by })}</Button>
          <Button tone="primary" onClick={() => resolve(path, 'mine')}>
            {say('shell.conflict.take_mine')}
          </Button>
        </>
      }
    >
      <p>{say('shell.conflict.text', { path, name: theirs.by, when: when(theirs.at, tag) })}</p>
      <JsonDiff
        before={theirs.text ?? ''}
        after={mine ?? ''}
        beforeLabel={say('shell.conflict.theirs', { name: theirs.by })}
        afterLabel={say('shell.conflict.mine')}
      />
      <p className="quiet">{say('shell.conflict.undo')}</p>
    </Dialog>
  )
}
