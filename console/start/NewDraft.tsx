import * as z from 'zod'
import { useClient } from '#console/io/console.ts'
import { useWords } from '#console/io/words.ts'
import { Button } from '#console/parts/Button.tsx'
import { Dialog } from '#console/parts/dialog/Dialog.tsx'
import { Field, TextArea, TextInput } from '#console/parts/Field.tsx'
import { useCallForm } from '#console/parts/form/useCallForm.ts'
import { useGoOn } from '#console/parts/useGoOn.ts'
import { consoleCalls } from '#contract/console/console.calls.ts'

const { name: nameInput, note: noteInput } = consoleCalls['drafts.create'].input.shape
const schema = z.object({ name: nameInput, note: noteInput.unwrap() })

/** Creates a draft from the live release, or from another release, and opens it. */
export function NewDraft({ open, from, onClose }: { open: boolean; from?: number; onClose: () => void }) {
  const say = useWords()
  const client = useClient()
  const goOn = useGoOn()
  const { field, error, busy, submit } = useCallForm({
    schema,
    defaults: { name: '', note: '' },
    needed: ['name'],
    fields: { name_taken: 'name', reason_missing: 'name', too_large: 'name' },
    async send({ name, note }) {
      const draft = await client.createDraft({ name: name.trim(), note: note.trim(), ...(from !== undefined && { from }) })
      goOn(`/draft/${draft.id}/documents`)
    },
  })
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={from === undefined ? say('shell.drafts.new') : say('shell.drafts.from', { number: from })}
      foot={
        <>
          <Button onClick={onClose}>{say('shell.cancel')}</Button>
          <Button tone="primary" busy={busy} type="submit" form="new-draft">
            {say('shell.drafts.begin')}
          </Button>
        </>
      }
    >
      <form id="new-draft" style={{ display: 'contents' }} onSubmit={submit} noValidate>
        {from !== undefined && <p className="quiet">{say('shell.drafts.from_text')}</p>}
        <Field label={say('shell.drafts.name')} help={say('shell.drafts.name_help')} error={error('name')}>
          {(control) => <TextInput {...control} {...field('name')} />}
        </Field>
        <Field label={say('shell.drafts.note')} help={say('shell.drafts.note_help')} error={error('note')}>
          {(control) => <TextArea {...control} {...field('note')} rows={3} />}
        </Field>
      </form>
    </Dialog>
  )
}
