import { useState } from 'react'
import { useClient } from '#console/io/console.ts'
import { useWords } from '#console/io/words.ts'
import styles from '#console/operators/Operators.module.css'
import { Button } from '#console/parts/Button.tsx'
import { Dialog } from '#console/parts/dialog/Dialog.tsx'
import { Check } from '#console/parts/Field.tsx'
import { useRun } from '#console/parts/useRun.ts'
import type { OperatorInfo } from '#language/publish/operator-accounts.ts'
import { roles as allRoles, type Role } from '#language/publish/publishing.ts'

/** One checkbox for each role, with what the role allows. */
export function RoleChecks({ roles, onChange }: { roles: readonly Role[]; onChange: (roles: Role[]) => void }) {
  const say = useWords()
  return (
    <fieldset className={styles.roles}>
      <legend>{say('shell.operators.roles')}</legend>
      {allRoles.map((role) => (
        <Check
          key={role}
          checked={roles.includes(role)}
          onChange={(on) => onChange(allRoles.filter((one) => (one === role ? on : roles.includes(one))))}
          label={
            <>
              <strong>{say(`shell.role.${role}`)}</strong>
              <span className={styles.may}>{say(`shell.role.${role}_may`)}</span>
            </>
          }
        />
      ))}
    </fieldset>
  )
}

export function RolesDialog({ operator, onClose, onDone }: { operator: OperatorInfo; onClose: () => void; onDone: () => void }) {
  const say = useWords()
  const client = useClient()
  const { busy, run } = useRun()
  const [roles, setRoles] = useState<Role[]>(operator.roles)
  const same = roles.join() === allRoles.filter((role) => operator.roles.includes(role)).join()
  const send = () =>
    run('roles', async () => {
      await client.changeOperator(operator.id, { roles })
      onDone()
      onClose()
    })
  return (
    <Dialog
      open
      onClose={onClose}
      title={say('shell.operators.change_roles', { name: operator.name })}
      foot={
        <>
          <Button onClick={onClose}>{say('shell.cancel')}</Button>
          <Button tone="primary" busy={busy !== null} disabled={same || roles.length === 0} onClick={() => void send()}>
            {say('shell.save_it')}
          </Button>
        </>
      }
    >
      <RoleChecks roles={roles} onChange={setRoles} />
    </Dialog>
  )
}
