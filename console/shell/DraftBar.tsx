import { Pencil, Redo2, Undo2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Link, NavLink, useLocation, useNavigate } from 'react-router-dom'
import { useAsked, useClient } from '#console/io/console.ts'
import { useWorkspace } from '#console/io/useWorkspace.ts'
import { useLocaleTag, useWords } from '#console/io/words.ts'
import { Badge } from '#console/parts/Badge.tsx'
import { Button, IconButton } from '#console/parts/Button.tsx'
import { Select } from '#console/parts/Field.tsx'
import { problemText } from '#console/parts/Toast.tsx'
import { exactly } from '#console/parts/when.ts'
import styles from '#console/shell/DraftFrame.module.css'
import { Presence } from '#console/shell/Presence.tsx'
import { DraftStateBadge } from '#console/shell/StateBadges.tsx'
import { useUndo } from '#console/shell/useUndo.ts'
import { DraftFromButton } from '#console/start/DraftFromButton.tsx'
import { classes } from '#widgets/parts/look/classes.ts'

/** With the code of forms, which a draft needs only when it is renamed. */
const RenameDraft = lazy(async () => ({ default: (await import('#console/start/RenameDraft.tsx')).RenameDraft }))

/** The name of the draft, its pages, the state of saving and the number of problems. */
export function DraftBar() {
  const say = useWords()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const client = useClient()
  const { draft, problems, changed, editable, checking, canUndo, canRedo, refresh } = useWorkspace()
  const { undo, redo } = useUndo()
  const drafts = useAsked('drafts', client.drafts, ['draft'])
  const [renaming, setRenaming] = useState(false)
  if (!draft) return null
  const here = `/draft/${draft.id}`
  const page = /^\/draft\/\d+\/(texts|theme|review)/.exec(pathname)?.[1] ?? 'documents'
  const open = (drafts.data ?? []).filter((one) => one.id === draft.id || ['open', 'submitted', 'approved'].includes(one.state))
  const choices = open.length > 0 ? open : [draft]
  const errors = problems.filter(({ severity }) => severity === 'error').length
  const warnings = problems.length - errors
  const inDocuments = pathname === here || /^\/draft\/\d+\/documents?(?:\/|$)/.test(pathname)
  return (
    <>
      <div className={styles.bar}>
        <div className={styles.name}>
          <Select
            className={styles.switcher}
            aria-label={say('shell.draft.switch')}
            value={String(draft.id)}
            choices={choices.map(({ id, name }) => ({ value: String(id), label: name }))}
            onChoose={(id) => navigate(`/draft/${id}/${page}`)}
          />
          {editable && <IconButton small label={say('shell.draft.rename')} icon={Pencil} onClick={() => setRenaming(true)} />}
          <Suspense>
            {renaming && <RenameDraft draft={draft} onClose={() => setRenaming(false)} onRenamed={() => void refresh()} />}
          </Suspense>
          <DraftStateBadge draft={draft} />
        </div>
        <nav className={styles.nav} aria-label={say('shell.draft.pages')}>
          <NavLink to={`${here}/documents`} className={classes(styles.tab, inDocuments && styles.here)}>
            {say('shell.draft.documents')}
          </NavLink>
          {(['texts', 'theme', 'review'] as const).map((name) => (
            <NavLink key={name} to={`${here}/${name}`} className={({ isActive }) => classes(styles.tab, isActive && styles.here)}>
              {say(`shell.draft.${name}`)}
              {name === 'review' && changed.length > 0 && <Badge>{changed.length}</Badge>}
            </NavLink>
          ))}
        </nav>
        <div className={styles.state}>
          <Presence draft={draft.id} />
          {errors > 0 ? (
            <Link to={`${here}/review`} aria-live="polite">
              <Badge tone="bad">{say('shell.draft.problems', { count: errors })}</Badge>
            </Link>
          ) : warnings > 0 ? (
            <Link to={`${here}/review`} aria-live="polite">
              <Badge tone="warn">{say('shell.draft.warnings', { count: warnings })}</Badge>
            </Link>
          ) : (
            <Badge tone={checking ? 'neutral' : 'good'}>{say(checking ? 'shell.draft.checking' : 'shell.draft.no_problems')}</Badge>
          )}
          {editable ? <SaveNote /> : <Badge>{say('shell.draft.read_only')}</Badge>}
          {draft.state === 'published' && draft.release !== null && <DraftFromButton small release={draft.release} />}
          {editable && (
            <>
              <IconButton small label={say('shell.undo')} icon={Undo2} disabled={!canUndo} onClick={() => void undo()} />
              <IconButton small label={say('shell.redo')} icon={Redo2} disabled={!canRedo} onClick={() => void redo()} />
            </>
          )}
        </div>
      </div>
      {editable && draft.approval && (
        <p className={styles.note} role="status">
          {say('shell.draft.approved', { name: draft.approval.by })}
        </p>
      )}
      {draft.stale && (
        <p className={styles.note} role="status">
          {say('shell.draft.stale', { base: draft.base })}
          <Link className="link" to={`${here}/review`}>
            {say('shell.draft.merge')}
          </Link>
        </p>
      )}
    </>
  )
}

/** Whether everything is saved, or why not. */
function SaveNote() {
  const say = useWords()
  const tag = useLocaleTag()
  const { save, flush } = useWorkspace()
  const { state, pending, error, savedAt } = save
  return (
    <span className={classes(styles.save, styles[state])} title={savedAt ? say('shell.save.at', { at: exactly(savedAt, tag) }) : undefined}>
      <span className={styles.dot} aria-hidden />
      <span role="status" title={error ? problemText(say, error) : undefined}>
        {say(`shell.save.${state}`, { count: pending.length })}
      </span>
      {(state === 'offline' || state === 'refused') && (
        <Button small onClick={() => void flush()}>
          {say('shell.again')}
        </Button>
      )}
    </span>
  )
}
