import { MessageSquarePlus } from 'lucide-react'
import { useState } from 'react'
import { useClient, useMay } from '#console/io/console.ts'
import { useLocaleTag, useWords } from '#console/io/words.ts'
import { Button } from '#console/parts/Button.tsx'
import { Field, TextArea } from '#console/parts/Field.tsx'
import { Card } from '#console/parts/layout/Page.tsx'
import { useRun } from '#console/parts/useRun.ts'
import { exactly, when } from '#console/parts/when.ts'
import { notesOf, wordOf } from '#console/releases/release.rules.ts'
import styles from '#console/review/Review.module.css'
import type { Draft, DraftStep } from '#language/publish/publishing.ts'

/** The note of the author and the last refusal, before everything else. */
export function NotesCards({ draft, steps }: { draft: Draft; steps: readonly DraftStep[] }) {
  const say = useWords()
  const tag = useLocaleTag()
  const { note, refusal } = notesOf(steps)
  return (
    <>
      {note && draft.state !== 'open' && (
        <Card title={say('review.history.note', { name: note.actor })}>
          <p className={styles.said}>{note.reason}</p>
        </Card>
      )}
      {refusal && !draft.rejection && draft.state !== 'published' && (
        <Card tone="warn" title={say('review.history.before', { name: refusal.actor, when: when(refusal.at, tag) })}>
          <p className={styles.said}>{refusal.reason}</p>
        </Card>
      )}
    </>
  )
}

/** The history of a draft without its saves, and its comments. */
export function HistoryCard({ draft, steps, put }: { draft: Draft; steps: readonly DraftStep[]; put: (steps: DraftStep[]) => void }) {
  const say = useWords()
  const tag = useLocaleTag()
  const may = useMay()
  const client = useClient()
  const { busy, run } = useRun()
  const [text, setText] = useState('')
  const alive = draft.state !== 'published' && draft.state !== 'dropped'
  const send = () =>
    run('comment', async () => {
      put(await client.commentDraft(draft.id, text.trim()))
      setText('')
    })
  return (
    <Card title={say('review.history.title')}>
      {alive && may('editor', 'approver', 'publisher', 'administrator') && (
        <form
          className={styles.comment}
          onSubmit={(event) => {
            event.preventDefault()
            void send()
          }}
        >
          <Field label={say('review.history.comment')} help={say('review.history.comment_help')}>
            {(field) => <TextArea {...field} rows={2} maxLength={1_000} value={text} onChange={(event) => setText(event.target.value)} />}
          </Field>
          <Button type="submit" icon={MessageSquarePlus} busy={busy !== null} disabled={text.trim() === ''}>
            {say('review.history.add')}
          </Button>
        </form>
      )}
      {steps.length === 0 && <p className="quiet">{say('review.history.none')}</p>}
      <ol className={styles.history} aria-label={say('review.history.title')}>
        {steps.map(({ id, at, actor, action, reason }) => {
          const word = wordOf(action)
          return (
            <li key={id}>
              <span>
                <strong>{actor}</strong> {word ? say(`review.history.did_${word}`) : action}{' '}
                <span className="quiet" title={exactly(at, tag)}>
                  {when(at, tag)}
                </span>
              </span>
              {reason && <p className={styles.said}>{reason}</p>}
            </li>
          )
        })}
      </ol>
    </Card>
  )
}
