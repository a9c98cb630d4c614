import { useState } from 'react'
import { useWorkspace } from '#console/io/useWorkspace.ts'
import { useLocaleTag, useWords } from '#console/io/words.ts'
import { Button } from '#console/parts/Button.tsx'
import { Dialog } from '#console/parts/Dialog.tsx'
import { JsonDiff } from '#console/parts/JsonDiff.tsx'
import { when } from '#console/parts/when.ts'

/** Shows both texts of a file that two operators saved. The operator chooses one; undo brings the other back. */
export function ConflictDialog() {
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
