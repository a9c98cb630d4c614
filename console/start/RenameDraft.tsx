import { useState } from 'react'
import { useClient } from '#console/io/console.ts'
import { useWords } from '#console/io/words.ts'
import { Button } from '#console/parts/Button.tsx'
import { Dialog } from '#console/parts/dialog/Dialog.tsx'
import { Field, TextInput } from '#console/parts/Field.tsx'
import { problemText } from '#console/parts/Toast.tsx'
import type { Draft } from '#language/publish/publishing.ts'

interface Props {
  draft: Pick<Draft, 'id' | 'name'>
  onClose: () => void
  /** Called when the server has the new name. */
  onRenamed: () => void
}

/** Renames a draft; the audit log records by whom. */
export function RenameDraft({ draft, onClose, onRenamed }: Props) {
  const say = useWords()
  const client = useClient()
  const [name, setName] = useState(draft.name)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const wanted = name.trim()
  const idle = wanted === '' || wanted === draft.name
  const send = async () => {
    setBusy(true)
    setError(null)
    try {
      await client.renameDraft(draft.id, { name: wanted })
      onRenamed()
      onClose()
    } catch (problem) {
      setError(problem)
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={say('shell.draft.rename')}
      foot={
        <>
          <Button onClick={onClose}>{say('shell.cancel')}</Button>
          <Button tone="primary" busy={busy} disabled={idle} type="submit" form="rename-draft">
            {say('shell.draft.rename_ok')}
          </Button>
        </>
      }
    >
      <form
        id="rename-draft"
        style={{ display: 'contents' }}
        onSubmit={(event) => {
          event.preventDefault()
          if (!idle && !busy) void send()
        }}
      >
        <Field label={say('shell.drafts.name')} help={say('shell.drafts.name_help')} error={error ? problemText(say, error) : undefined}>
          {(field) => <TextInput {...field} maxLength={100} value={name} onChange={(event) => setName(event.target.value)} />}
        </Field>
      </form>
    </Dialog>
  )
}
