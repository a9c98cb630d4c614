import { Copy, KeyRound, LifeBuoy, Smartphone } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import * as z from 'zod'
import styles from '#console/account/Entry.module.css'
import { FactorSecret } from '#console/account/FactorSecret.tsx'
import { CodeField, NewPasswordFields } from '#console/account/Proof.tsx'
import { chosenTwice, passwordWords } from '#console/account/password.rules.ts'
import { useAsked, useConsole } from '#console/io/console.ts'
import { useWords } from '#console/io/words.ts'
import { Button } from '#console/parts/Button.tsx'
import { Dialog } from '#console/parts/dialog/Dialog.tsx'
import { useCallForm } from '#console/parts/form/useCallForm.ts'
import { Card } from '#console/parts/layout/Page.tsx'
import { useToast } from '#console/parts/Toast.tsx'
import { useRun } from '#console/parts/useRun.ts'
import { consoleCalls } from '#contract/console/console.calls.ts'
import type { FactorProposal } from '#language/publish/operator-accounts.ts'

/** Changes of an operator's own password, second factor and recovery codes. Each needs a recent proof of identity. */
export function AccessCard() {
  const say = useWords()
  const { client } = useConsole()
  const { busy, run } = useRun()
  const left = useAsked('recovery', client.recoveryLeft)
  const [password, setPassword] = useState(false)
  const [factor, setFactor] = useState<FactorProposal | null>(null)
  const [codes, setCodes] = useState<string[] | null>(null)
  const makeCodes = () =>
    run('codes', async () => {
      setCodes((await client.makeRecoveryCodes()).codes)
      left.again()
    })
  return (
    <Card title={say('shell.access.title')}>
      <div style={{ display: 'flex', gap: 8, flexWrap: 'wrap' }}>
        <Button icon={KeyRound} onClick={() => setPassword(true)}>
          {say('shell.access.password')}
        </Button>
        <Button
          icon={Smartphone}
          busy={busy === 'factor'}
          onClick={() => void run('factor', async () => setFactor(await client.proposeFactor()))}
        >
          {say('shell.access.factor')}
        </Button>
        <Button icon={LifeBuoy} busy={busy === 'codes'} onClick={() => void makeCodes()}>
          {say('shell.access.codes')}
        </Button>
      </div>
      <p className="quiet">{left.data && say('shell.access.codes_left', { count: left.data.left })}</p>
      {password && <PasswordDialog onClose={() => setPassword(false)} />}
      {factor && <FactorDialog proposal={factor} onClose={() => setFactor(null)} />}
      {codes && <CodesDialog codes={codes} onClose={() => setCodes(null)} />}
    </Card>
  )
}

interface FormDialogProps {
  title: string
  busy: boolean
  onSubmit: (event: React.FormEvent) => void
  onClose: () => void
  children: ReactNode
}

/** A dialog with one form. */
function FormDialog({ title, busy, onSubmit, onClose, children }: FormDialogProps) {
  const say = useWords()
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      foot={
        <>
          <Button onClick={onClose}>{say('shell.cancel')}</Button>
          <Button type="submit" form="access" tone="primary" busy={busy}>
            {say('shell.save_it')}
          </Button>
        </>
      }
    >
      <form id="access" className={styles.form} onSubmit={onSubmit} noValidate>
        {children}
      </form>
    </Dialog>
  )
}

const passwordSchema = chosenTwice(consoleCalls['access.password'].input.extend({ again: z.string() }), 'next')

function PasswordDialog({ onClose }: { onClose: () => void }) {
  const say = useWords()
  const toast = useToast()
  const { client, me } = useConsole()
  const { field, error, busy, submit } = useCallForm({
    schema: passwordSchema,
    defaults: { next: '', again: '' },
    needed: ['next', 'again'],
    fields: { password_weak: 'next' },
    words: passwordWords,
    async send({ next }) {
      await client.changePassword(next)
      toast.good(say('shell.access.password_done'))
      onClose()
    },
  })
  return (
    <FormDialog title={say('shell.access.password')} busy={busy} onSubmit={submit} onClose={onClose}>
      <p className="quiet">{say('shell.access.ends')}</p>
      <input type="text" autoComplete="username" value={me?.operator.name ?? ''} readOnly hidden />
      <NewPasswordFields next={{ field: field('next'), error: error('next') }} again={{ field: field('again'), error: error('again') }} />
    </FormDialog>
  )
}

function FactorDialog({ proposal, onClose }: { proposal: FactorProposal; onClose: () => void }) {
  const say = useWords()
  const toast = useToast()
  const { client } = useConsole()
  const { field, error, busy, submit } = useCallForm({
    schema: consoleCalls['access.factorConfirm'].input,
    defaults: { code: '' },
    needed: ['code'],
    async send({ code }) {
      await client.confirmFactor(code.replaceAll(' ', ''))
      toast.good(say('shell.access.factor_done'))
      onClose()
    },
  })
  return (
    <FormDialog title={say('shell.access.factor')} busy={busy} onSubmit={submit} onClose={onClose}>
      <p className="quiet">{say('shell.access.factor_text')}</p>
      <FactorSecret secret={proposal.secret} uri={proposal.uri} />
      <CodeField field={field('code')} error={error('code')} help={say('shell.setup.code_help')} />
    </FormDialog>
  )
}

function CodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const say = useWords()
  const toast = useToast()
  const copy = () => void navigator.clipboard.writeText(codes.join('\n')).then(() => toast.good(say('shell.copied')), toast.bad)
  return (
    <Dialog
      open
      modal
      onClose={onClose}
      title={say('shell.access.codes_title')}
      foot={
        <>
          <Button icon={Copy} onClick={copy}>
            {say('shell.copy')}
          </Button>
          <Button tone="primary" onClick={onClose}>
            {say('shell.access.codes_kept')}
          </Button>
        </>
      }
    >
      <p>{say('shell.access.codes_text')}</p>
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
