import { FilePlus2 } from 'lucide-react'
import { useState } from 'react'
import { useClient } from '#console/io/console.ts'
import { useWords } from '#console/io/words.ts'
import { Button } from '#console/parts/Button.tsx'
import { Dialog } from '#console/parts/dialog/Dialog.tsx'
import { Field, TextArea, TextInput } from '#console/parts/Field.tsx'
import { problemText } from '#console/parts/Toast.tsx'
import { useClosed } from '#console/parts/useClosed.ts'
import { useGoOn } from '#console/parts/useGoOn.ts'

/** Creates a draft from the live release, or from another release, and opens it. */
export function NewDraft({ open, from, onClose }: { open: boolean; from?: number; onClose: () => void }) {
  const say = useWords()
  const client = useClient()
  const goOn = useGoOn()
  const [name, setName] = useState('')
  const [note, setNote] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const send = async () => {
    setBusy(true)
    setError(null)
    try {
      const draft = await client.createDraft({ name: name.trim(), note: note.trim(), ...(from !== undefined && { from }) })
      goOn(`/draft/${draft.id}/documents`)
    } catch (problem) {
      setError(problem)
      setBusy(false)
    }
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={from === undefined ? say('shell.drafts.new') : say('shell.drafts.from', { number: from })}
      foot={
        <>
          <Button onClick={onClose}>{say('shell.cancel')}</Button>
          <Button tone="primary" busy={busy} disabled={name.trim() === ''} type="submit" form="new-draft">
            {say('shell.drafts.begin')}
          </Button>
        </>
      }
    >
      <form
        id="new-draft"
        style={{ display: 'contents' }}
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() !== '' && !busy) void send()
        }}
      >
        {from !== undefined && <p className="quiet">{say('shell.drafts.from_text')}</p>}
        <Field label={say('shell.drafts.name')} help={say('shell.drafts.name_help')} error={error ? problemText(say, error) : undefined}>
          {(field) => <TextInput {...field} maxLength={100} value={name} onChange={(event) => setName(event.target.value)} />}
        </Field>
        <Field label={say('shell.drafts.note')} help={say('shell.drafts.note_help')}>
          {(field) => <TextArea {...field} rows={3} maxLength={1_000} value={note} onChange={(event) => setNote(event.target.value)} />}
        </Field>
      </form>
    </Dialog>
  )
}

/** Creates a draft from a release. From a stopped release it takes only its changes, applied to the live release. */
export function DraftFromButton({ release, small }: { release: number; small?: boolean }) {
  const say = useWords()
  const closed = useClosed('editor')
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button {...(small && { small })} icon={FilePlus2} closed={closed} onClick={() => setOpen(true)}>
        {say('shell.drafts.from_open')}
      </Button>
      <NewDraft open={open} from={release} onClose={() => setOpen(false)} />
    </>
  )
}
