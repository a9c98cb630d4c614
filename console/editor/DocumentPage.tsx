import { ArrowLeft, Copy, History, Link2, ListTree, PanelRightClose, PanelRightOpen, Trash2 } from 'lucide-react'
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { Link, Navigate, useLocation, useNavigate, useParams, useSearchParams } from 'react-router-dom'
import styles from '#console/editor/DocumentPage.module.css'
import { nameIn } from '#console/editor/document/pointer.ts'
import { readTexts } from '#console/editor/document/read.ts'
import { EditingProvider, useEditing } from '#console/editor/document/useEditing.tsx'
import { useWordLanguage } from '#console/editor/document/useWordLanguage.ts'
import { FormOf, hasForm } from '#console/editor/kinds/FormOf.tsx'
import { inWords, knownKind, titleOf } from '#console/editor/list/entries.rules.ts'
import { CopyDialog } from '#console/editor/list/NewDocument.tsx'
import { RemoveDialog } from '#console/editor/list/RemoveDialog.tsx'
import { newKinds } from '#console/editor/list/templates.rules.ts'
import { type Why, WhyContext } from '#console/editor/node/Conditions.tsx'
import { nodeAt, pointerOfNode } from '#console/editor/preview-place.rules.ts'
import { ProblemsPanel } from '#console/editor/problems/Problems.tsx'
import { areaOf } from '#console/io/sources.ts'
import { useWorkspace } from '#console/io/useWorkspace.ts'
import { useWords } from '#console/io/words.ts'
import { Badge } from '#console/parts/Badge.tsx'
import { Button, IconButton } from '#console/parts/Button.tsx'
import { EmptyState, Skeleton } from '#console/parts/EmptyState.tsx'
import { Select } from '#console/parts/Field.tsx'
import { SplitPane } from '#console/parts/layout/SplitPane.tsx'
import { type PreviewHandle, PreviewPane } from '#console/preview/PreviewPane.tsx'
import type { NodePlace } from '#console/preview/protocol.ts'
import { isObject } from '#language/documents/json.ts'
import type { DocumentKey } from '#language/publish/release.ts'
import { segmentsOf } from '#language/text/position.ts'

const JsonEditor = lazy(async () => ({ default: (await import('#console/editor/json/JsonEditor.tsx')).JsonEditor }))

/** One document: its tree and forms, its JSON, and the app in a preview. */
export function DocumentPage() {
  const say = useWords()
  const { '*': path = '', id } = useParams()
  const { files, prepared } = useWorkspace()
  const texts = useMemo(() => readTexts(files), [files])
  const [language, setLanguage] = useWordLanguage(Object.keys(texts))
  const [selected, select] = useSelected()
  useFocusGuard()
  const area = areaOf(path)?.[1]
  // A problem of a text leads to the Texts page.
  if (area !== undefined) return <Navigate replace to={`/draft/${id}/texts?${new URLSearchParams({ search: textAt(area, selected) })}`} />
  if (files[path] === undefined)
    return (
      <EmptyState icon={ListTree} title={say('editor.document_none')} text={path}>
        <BackLink />
      </EmptyState>
    )
  return (
    <EditingProvider key={path} path={path} language={language} selected={selected} select={select}>
      <Inside language={language} languages={Object.keys(texts)} onLanguage={setLanguage} set={prepared} />
    </EditingProvider>
  )
}

/** The key at a pointer of a text file; its area where the pointer names no key. */
function textAt(area: string, pointer: string): string {
  return [area, ...segmentsOf(pointer)].join('.').concat(pointer === '' ? '.' : '')
}

/**
 * The address contains the selection, so that it can be shared. The state changes first and the address at once after it: the router would
 * answer later, and the next key press would meet the old selection.
 */
function useSelected(): [string, (pointer: string) => void] {
  const { key: visit, pathname } = useLocation()
  const [search] = useSearchParams()
  const asked = search.get('at') ?? ''
  // All first entries of a window's history have the same key, so the position in the history counts too.
  const key = `${visit} ${pathname} ${asked}`
  const [chosen, setChosen] = useState({ key, pointer: asked })
  if (chosen.key !== key) setChosen({ key, pointer: asked })
  const select = useCallback(
    (pointer: string) => {
      setChosen({ key, pointer })
      history.replaceState(history.state, '', `#${pathname}${pointer === '' ? '' : `?at=${encodeURIComponent(pointer)}`}`)
    },
    [key, pathname],
  )
  return [chosen.key === key ? chosen.pointer : asked, select]
}

function BackLink() {
  const say = useWords()
  const { id } = useParams()
  return (
    <Link className="link" to={`/draft/${id}/documents`}>
      {say('editor.to_documents')}
    </Link>
  )
}

type View = 'form' | 'json' | 'both'
const viewKey = 'console.editor.view'
const previewKey = 'console.editor.preview'

interface InsideProps {
  language: string
  languages: readonly string[]
  onLanguage(language: string): void
  set: ReturnType<typeof useWorkspace>['prepared']
}

function Inside({ language, languages, onLanguage, set }: InsideProps) {
  const say = useWords()
  const navigate = useNavigate()
  const { id } = useParams()
  const editing = useEditing()
  const { doc, path, workspace, known, selected, select, broken, problems, refused } = editing
  const kind = isObject(doc) && typeof doc.kind === 'string' ? doc.kind : ''
  const docId = isObject(doc) && typeof doc.id === 'string' ? doc.id : nameIn(`/${path}`).replace(/\.json$/, '')
  const [view, setView] = useState<View>(() => (localStorage.getItem(viewKey) as View | null) ?? 'form')
  const [shown, setShown] = useState(() => localStorage.getItem(previewKey) !== 'folded')
  const [dialog, setDialog] = useState<'copy' | 'remove' | null>(null)
  const preview = useRef<PreviewHandle>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another state of the files is the edit that is timed
  const editedAt = useMemo(() => performance.now(), [workspace.files])
  const document = (kind && docId ? `${kind}/${docId}` : null) as DocumentKey | null
  const title = isObject(doc) ? titleOf(doc, known.words) || inWords(docId) : docId
  const mode: View = hasForm(kind) ? view : 'json'
  const errors = problems.filter(({ severity }) => severity === 'error').length

  const go = (file: string, pointer: string) =>
    file === path ? select(pointer) : navigate(`/draft/${id}/document/${file}?at=${encodeURIComponent(pointer)}`)
  const onPick = (place: NodePlace) => {
    const found = pointerOfNode(workspace.files, place)
    if (found) go(found.path, found.pointer)
  }
  const place = useMemo<NodePlace | null>(() => {
    const node = document && nodeAt(doc, selected)
    return node ? { document, node } : null
  }, [doc, document, selected])
  const why = useMemo<Why | null>(
    () => (shown && document ? (node) => preview.current?.why({ document, node }) ?? Promise.resolve(null) : null),
    [shown, document],
  )
  const choose = (next: View) => {
    localStorage.setItem(viewKey, next)
    setView(next)
  }
  const fold = () => {
    localStorage.setItem(previewKey, shown ? 'folded' : 'open')
    setShown(!shown)
  }
  // The same element while it is the same form, so that a dialog or the preview does not draw a long form again.
  const form = useMemo(
    () => (
      <WhyContext value={why}>
        <FormOf kind={kind} />
      </WhyContext>
    ),
    [why, kind],
  )
  const json = (
    <Suspense fallback={<Skeleton rows={10} />}>
      <JsonEditor />
    </Suspense>
  )
  const changed = workspace.changed.includes(path)
  return (
    <SplitPane
      id="preview"
      width={400}
      min={320}
      max={760}
      main={
        <div className={styles.main}>
          <header className={styles.head}>
            <Link
              className={styles.back}
              to={`/draft/${id}/documents`}
              aria-label={say('editor.to_documents')}
              title={say('editor.to_documents')}
            >
              <ArrowLeft size={17} aria-hidden />
            </Link>
            <div className={styles.titles}>
              <h1>{title}</h1>
              <p className="quiet">
                {say(`editor.kind_${knownKind(kind)}`)} · <span className="mono">{docId}</span>
              </p>
            </div>
            {changed && <Badge tone="accent">{say('editor.changed')}</Badge>}
            {errors > 0 && <Badge tone="bad">{say('editor.errors', { count: errors })}</Badge>}
            <div className={styles.actions}>
              {hasForm(kind) && (
                <fieldset className={styles.views} aria-label={say('editor.view')}>
                  {(['form', 'json', 'both'] as const).map((one) => (
                    <button key={one} type="button" aria-pressed={mode === one} onClick={() => choose(one)}>
                      {say(`editor.view_${one}`)}
                    </button>
                  ))}
                </fieldset>
              )}
              <Select
                className={styles.language ?? ''}
                aria-label={say('editor.words_language')}
                value={language}
                choices={languages.map((value) => ({ value, label: value }))}
                onChoose={onLanguage}
              />
              {(newKinds as readonly string[]).includes(kind) && (
                <>
                  <IconButton
                    label={say('editor.where_used')}
                    icon={Link2}
                    onClick={() => navigate(`/draft/${id}/documents?tab=uses&of=${encodeURIComponent(`${kind}/${docId}`)}`)}
                  />
                  <IconButton label={say('editor.copy')} icon={Copy} disabled={!workspace.editable} onClick={() => setDialog('copy')} />
                  <IconButton
                    label={say('editor.delete')}
                    icon={Trash2}
                    disabled={!workspace.editable}
                    onClick={() => setDialog('remove')}
                  />
                </>
              )}
              {changed && workspace.base[path] !== undefined && (
                <IconButton
                  label={say('editor.revert')}
                  icon={History}
                  disabled={!workspace.editable}
                  onClick={() => workspace.revert(path)}
                />
              )}
              <IconButton
                label={say(shown ? 'editor.preview_fold' : 'editor.preview_open')}
                icon={shown ? PanelRightClose : PanelRightOpen}
                aria-expanded={shown}
                onClick={fold}
              />
            </div>
          </header>
          {broken && (
            <p className={styles.note} role="alert">
              {say('editor.broken')}{' '}
              {mode === 'form' && (
                <Button small onClick={() => choose('json')}>
                  {say('editor.view_json')}
                </Button>
              )}
            </p>
          )}
          {refused !== null && (
            <p className={styles.note} role="alert">
              {say('editor.edit_refused', { reason: refused })}
            </p>
          )}
          <div className={styles.work} data-view={mode}>
            {mode !== 'json' && <div className={styles.pane}>{form}</div>}
            {mode !== 'form' && <div className={styles.pane}>{json}</div>}
          </div>
          <ProblemsPanel path={path} go={(problem) => go(problem.file, problem.pointer)} />
          {dialog === 'copy' && <CopyDialog path={path} onClose={() => setDialog(null)} />}
          {dialog === 'remove' && document && (
            <RemoveDialog path={path} document={document} title={title} onClose={() => setDialog(null)} />
          )}
        </div>
      }
      side={
        shown ? (
          <PreviewPane
            ref={preview}
            set={set}
            problems={workspace.problems}
            unread={workspace.unread}
            checking={workspace.checking}
            editedAt={editedAt}
            document={document}
            selected={place}
            onPick={onPick}
            onProblem={(problem) => go(problem.file, problem.pointer)}
          />
        ) : null
      }
    />
  )
}

const tabMs = 300

/**
 * The app in the preview moves the focus when it opens a page, as it should for customers. While somebody types in the editor, the focus returns
 * to the editor, unless a person moved it into the frame by pointer or Tab.
 */
function useFocusGuard(): void {
  useEffect(() => {
    let last: Element | null = document.activeElement
    let tabbedAt = 0
    const onFocus = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement && target.tagName !== 'IFRAME') last = target
    }
    const onKey = ({ key, timeStamp }: KeyboardEvent) => {
      if (key === 'Tab') tabbedAt = timeStamp
    }
    const onBlur = ({ timeStamp }: FocusEvent) => {
      const frame = document.activeElement
      if (frame?.tagName !== 'IFRAME' || frame.matches(':hover') || timeStamp - tabbedAt < tabMs) return
      const back = last
      // Waits until the frame has moved the focus, which would take it otherwise.
      setTimeout(() => {
        window.focus()
        if (back instanceof HTMLElement && back.isConnected && back !== document.body) back.focus({ preventScroll: true })
      })
    }
    document.addEventListener('focusin', onFocus)
    document.addEventListener('keydown', onKey, true)
    window.addEventListener('blur', onBlur)
    return () => {
      document.removeEventListener('focusin', onFocus)
      document.removeEventListener('keydown', onKey, true)
      window.removeEventListener('blur', onBlur)
    }
  }, [])
}
