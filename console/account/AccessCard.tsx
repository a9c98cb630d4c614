import { Copy, KeyRound, LifeBuoy, Smartphone } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import styles from '#console/account/Entry.module.css'
import { FactorSecret } from '#console/account/FactorSecret.tsx'
import { CodeField } from '#console/account/Proof.tsx'
import { useAsked, useConsole } from '#console/io/console.ts'
import { useWords } from '#console/io/words.ts'
import { Button } from '#console/parts/Button.tsx'
import { Dialog } from '#console/parts/dialog/Dialog.tsx'
import { Field, TextInput } from '#console/parts/Field.tsx'
import { Card } from '#console/parts/layout/Page.tsx'
import { problemText, useToast } from '#console/parts/Toast.tsx'
import { useRun } from '#console/parts/useRun.ts'
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
  ok: string
  closed: boolean
  /** Sends the form. */
  send: () => Promise<unknown>
  done: string
  onClose: () => void
  /** @param problem error of the last attempt, in words */
  children: (problem: string | undefined) => ReactNode
}

/** A dialog with one form; an error is shown at its field. */
function FormDialog({ title, ok, closed, send, done, onClose, children }: FormDialogProps) {
  const say = useWords()
  const toast = useToast()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const submit = async () => {
    setBusy(true)
    setError(null)
    try {
      await send()
      toast.good(done)
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
      title={title}
      foot={
        <>
          <Button onClick={onClose}>{say('shell.cancel')}</Button>
          <Button type="submit" form="access" tone="primary" busy={busy} disabled={closed}>
            {ok}
          </Button>
        </>
      }
    >
      <form
        id="access"
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (!closed && !busy) void submit()
        }}
      >
        {children(error ? problemText(say, error) : undefined)}
      </form>
    </Dialog>
  )
}

function PasswordDialog({ onClose }: { onClose: () => void }) {
  const say = useWords()
  const { client, me } = useConsole()
  const [next, setNext] = useState('')
  const [again, setAgain] = useState('')
  const field = (value: string, put: (value: string) => void) => ({
    type: 'password',
    autoComplete: 'new-password',
    maxLength: 200,
    required: true,
    value,
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => put(event.target.value),
  })
  return (
    <FormDialog
      title={say('shell.access.password')}
      ok={say('shell.save_it')}
      closed={next.length < 12 || next !== again}
      send={() => client.changePassword(next)}
      done={say('shell.access.password_done')}
      onClose={onClose}
    >
      {(problem) => (
        <>
          <p className="quiet">{say('shell.access.ends')}</p>
          <input type="text" autoComplete="username" value={me?.operator.name ?? ''} readOnly hidden />
          <Field label={say('shell.setup.password')} help={say('shell.setup.password_help')} error={problem}>
            {(control) => <TextInput {...control} {...field(next, setNext)} />}
          </Field>
          <Field label={say('shell.setup.again')} error={again !== '' && again !== next ? say('shell.setup.different') : undefined}>
            {(control) => <TextInput {...control} {...field(again, setAgain)} />}
          </Field>
        </>
      )}
    </FormDialog>
  )
}

function FactorDialog({ proposal, onClose }: { proposal: FactorProposal; onClose: () => void }) {
  const say = useWords()
  const { client } = useConsole()
  const [code, setCode] = useState('')
  return (
    <FormDialog
      title={say('shell.access.factor')}
      ok={say('shell.save_it')}
      closed={code.replaceAll(' ', '').length < 6}
      send={() => client.confirmFactor(code.replaceAll(' ', ''))}
      done={say('shell.access.factor_done')}
      onClose={onClose}
    >
      {(problem) => (
        <>
          <p className="quiet">{say('shell.access.factor_text')}</p>
          <FactorSecret secret={proposal.secret} uri={proposal.uri} />
          <CodeField value={code} onChange={setCode} help={say('shell.setup.code_help')} error={problem} />
        </>
      )}
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
