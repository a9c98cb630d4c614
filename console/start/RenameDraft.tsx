import { useClient } from '#console/io/console.ts'
import { useWords } from '#console/io/words.ts'
import { Button } from '#console/parts/Button.tsx'
import { Dialog } from '#console/parts/dialog/Dialog.tsx'
import { Field, TextInput } from '#console/parts/Field.tsx'
import { useCallForm } from '#console/parts/form/useCallForm.ts'
import { consoleCalls } from '#contract/console/console.calls.ts'
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
  const { field, error, busy, submit, values } = useCallForm({
    schema: consoleCalls['drafts.rename'].input.pick({ name: true }).required(),
    defaults: { name: draft.name },
    needed: ['name'],
    fields: { name_taken: 'name', too_large: 'name' },
    async send({ name }) {
      await client.renameDraft(draft.id, { name: name.trim() })
      onRenamed()
      onClose()
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={say('shell.draft.rename')}
      foot={
        <>
          <Button onClick={onClose}>{say('shell.cancel')}</Button>
          <Button tone="primary" busy={busy} disabled={values.name.trim() === draft.name} type="submit" form="rename-draft">
            {say('shell.draft.rename_ok')}
          </Button>
        </>
      }
    >
      <form id="rename-draft" style={{ display: 'contents' }} onSubmit={submit} noValidate>
        <Field label={say('shell.drafts.name')} help={say('shell.drafts.name_help')} error={error('name')}>
          {(control) => <TextInput {...control} {...field('name')} />}
        </Field>
      </form>
    </Dialog>
  )
}
