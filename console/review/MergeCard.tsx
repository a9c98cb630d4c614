import { GitMerge } from 'lucide-react'
import { useState } from 'react'
import { useClient } from '#console/io/console.ts'
import { useWorkspace } from '#console/io/useWorkspace.ts'
import { useWords } from '#console/io/words.ts'
import { Button } from '#console/parts/Button.tsx'
import { Card } from '#console/parts/layout/Page.tsx'
import { useToast } from '#console/parts/Toast.tsx'
import { useClosed } from '#console/parts/useClosed.ts'
import { useRun } from '#console/parts/useRun.ts'
import styles from '#console/review/Merge.module.css'
import { memberName } from '#console/review/sentences.rules.ts'
import type { Draft, MergeConflict } from '#language/publish/publishing.ts'
import { classes } from '#widgets/parts/look/classes.ts'

type Choice = 'mine' | 'theirs'
const written = (value: unknown) => (value === undefined ? '—' : typeof value === 'string' ? value : JSON.stringify(value, null, 2))

/** Merges the release that went live since the draft was created. Conflicts are decided one by one. */
export function MergeCard({ draft, onDone }: { draft: Draft; onDone: () => void }) {
  const say = useWords()
  const toast = useToast()
  const client = useClient()
  const closed = useClosed('editor')
  const { flush } = useWorkspace()
  const { busy, run } = useRun()
  const [conflicts, setConflicts] = useState<MergeConflict[] | null>(null)
  const [choices, setChoices] = useState<Record<string, Choice>>({})
  const merge = () =>
    run('merge', async () => {
      if (!(await flush())) return
      const merged = await client.merge(draft.id, choices)
      if (merged.conflicts.length > 0) return setConflicts(merged.conflicts)
      setConflicts(null)
      setChoices({})
      toast.good(say('review.merge.done'))
      onDone()
    })
  const open = conflicts?.filter(({ id }) => !choices[id]).length ?? 0
  const takeAll = (choice: Choice) => setChoices(Object.fromEntries((conflicts ?? []).map(({ id }) => [id, choice])))
  return (
    <Card
      tone="warn"
      title={say('review.merge.title')}
      actions={
        <Button
          tone="primary"
          icon={GitMerge}
          busy={busy !== null}
          closed={closed}
          disabled={conflicts !== null && open > 0}
          onClick={() => void merge()}
        >
          {conflicts ? say('review.merge.finish') : say('review.merge.begin')}
        </Button>
      }
    >
      <p className="quiet">{say('review.merge.text', { base: draft.base })}</p>
      {conflicts && (
        <>
          <div className={styles.all}>
            <strong role="status">{say('review.merge.left', { count: open })}</strong>
            <Button small onClick={() => takeAll('mine')}>
              {say('review.merge.all_mine')}
            </Button>
            <Button small onClick={() => takeAll('theirs')}>
              {say('review.merge.all_theirs')}
            </Button>
          </div>
          <ol className={styles.conflicts}>
            {conflicts.map((conflict) => (
              <Conflict
                key={conflict.id}
                conflict={conflict}
                choice={choices[conflict.id]}
                choose={(choice) => setChoices({ ...choices, [conflict.id]: choice })}
              />
            ))}
          </ol>
        </>
      )}
    </Card>
  )
}

function Conflict({ conflict, choice, choose }: { conflict: MergeConflict; choice: Choice | undefined; choose: (choice: Choice) => void }) {
  const say = useWords()
  const { id, path, node, member, base, mine, theirs } = conflict
  return (
    <li className={styles.conflict}>
      <p>
        <strong>{node ?? path}</strong>
        {member && <> · {memberName(member, say)}</>} <span className={styles.path}>{path}</span>
      </p>
      <fieldset className={styles.sides}>
        <legend className="visually-hidden">{say('review.merge.choose', { name: node ?? path })}</legend>
        {(
          [
            ['mine', mine],
            ['theirs', theirs],
          ] as const
        ).map(([side, value]) => (
          <label key={side} className={classes(styles.side, choice === side && styles.chosen)}>
            <span className={styles.head}>
              <input type="radio" name={id} checked={choice === side} onChange={() => choose(side)} />
              {say(`review.merge.${side}`)}
            </span>
            <pre>{written(value)}</pre>
          </label>
        ))}
        <div className={styles.side}>
          <span className={styles.head}>{say('review.merge.base')}</span>
          <pre className="quiet">{written(base)}</pre>
        </div>
      </fieldset>
    </li>
  )
}
