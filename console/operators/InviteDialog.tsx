import { Copy } from 'lucide-react'
import { useState } from 'react'
import { useClient } from '#console/io/console.ts'
import { useLocaleTag, useWords } from '#console/io/words.ts'
import styles from '#console/operators/Operators.module.css'
import { RoleChecks } from '#console/operators/RolesDialog.tsx'
import { Button } from '#console/parts/Button.tsx'
import { Dialog } from '#console/parts/dialog/Dialog.tsx'
import { Field, TextInput } from '#console/parts/Field.tsx'
import { problemText, useToast } from '#console/parts/Toast.tsx'
import { exactly } from '#console/parts/when.ts'
import type { SetupLink } from '#language/publish/operator-accounts.ts'
import type { Role } from '#language/publish/publishing.ts'

interface InviteProps {
  open: boolean
  onClose: () => void
  onMade: (link: SetupLink) => void
}

export function InviteDialog({ open, onClose, onMade }: InviteProps) {
  const say = useWords()
  const client = useClient()
  const [name, setName] = useState('')
  const [roles, setRoles] = useState<Role[]>(['viewer'])
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const send = async () => {
    setBusy(true)
    setError(null)
    try {
      const made = await client.addOperator({ name: name.trim(), roles })
      setName('')
      setRoles(['viewer'])
      onMade(made)
    } catch (problem) {
      setError(problem)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={say('shell.operators.invite')}
      foot={
        <>
          <Button onClick={onClose}>{say('shell.cancel')}</Button>
          <Button tone="primary" busy={busy} disabled={name.trim() === '' || roles.length === 0} onClick={() => void send()}>
            {say('shell.operators.make_link')}
          </Button>
        </>
      }
    >
      <Field label={say('shell.name')} help={say('shell.setup.name_help')} error={error ? problemText(say, error) : undefined}>
        {(field) => <TextInput {...field} maxLength={60} value={name} onChange={(event) => setName(event.target.value)} />}
      </Field>
      <RoleChecks roles={roles} onChange={setRoles} />
    </Dialog>
  )
}

/** The link is shown once. */
export function LinkDialog({ link, onClose }: { link: SetupLink | null; onClose: () => void }) {
  const say = useWords()
  const tag = useLocaleTag()
  const toast = useToast()
  if (!link) return null
  const address = new URL(link.link, location.href).href
  return (
    <Dialog
      open
      modal
      onClose={onClose}
      title={say('shell.operators.link_title', { name: link.operator.name })}
      foot={<Button onClick={onClose}>{say('shell.operators.link_done')}</Button>}
    >
      <p>{say('shell.operators.link_text', { at: exactly(link.expiresAt, tag) })}</p>
      <code className={styles.link}>{address}</code>
      <Button
        tone="primary"
        icon={Copy}
        onClick={() => void navigator.clipboard.writeText(address).then(() => toast.good(say('shell.copied')), toast.bad)}
      >
        {say('shell.copy')}
      </Button>
    </Dialog>
  )
}
