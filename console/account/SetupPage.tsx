import { useEffect, useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router-dom'
import * as z from 'zod'
import styles from '#console/account/Entry.module.css'
import { Entry } from '#console/account/Entry.tsx'
import { FactorSecret } from '#console/account/FactorSecret.tsx'
import { CodeField, NewPasswordFields } from '#console/account/Proof.tsx'
import { chosenTwice, passwordWords } from '#console/account/password.rules.ts'
import { useConsole } from '#console/io/console.ts'
import { useWords } from '#console/io/words.ts'
import { Button, LinkButton } from '#console/parts/Button.tsx'
import { Skeleton } from '#console/parts/EmptyState.tsx'
import { Field, TextInput } from '#console/parts/Field.tsx'
import { useCallForm } from '#console/parts/form/useCallForm.ts'
import { problemText } from '#console/parts/Toast.tsx'
import { consoleCalls } from '#contract/console/console.calls.ts'
import type { SetupAnswer } from '#language/publish/operator-accounts.ts'

/** Set-up of an operator: a password, a second factor, its first code. The token is in the fragment of the address and is sent in bodies only. */
export function SetupPage() {
  const say = useWords()
  const { client, setMe } = useConsole()
  const navigate = useNavigate()
  const { token: fromPath } = useParams()
  const [search] = useSearchParams()
  const token = fromPath ?? search.get('token') ?? ''
  const [link, setLink] = useState<SetupAnswer | null>(null)
  const [error, setError] = useState<unknown>(null)

  useEffect(() => {
    let gone = false
    client.setup({ token }).then(
      (answer) => !gone && setLink(answer),
      (problem: unknown) => !gone && setError(problem),
    )
    return () => {
      gone = true
    }
  }, [client, token])

  const answer = error ? problemText(say, error) : undefined
  if (!link) {
    if (!answer) return <Entry title={say('shell.setup.title')}>{<Skeleton rows={3} />}</Entry>
    return (
      <Entry title={say('shell.setup.title')} lead={answer}>
        <LinkButton to="/login">{say('shell.setup.to_login')}</LinkButton>
      </Entry>
    )
  }
  if (link.secret === null || link.uri === null)
    return (
      <Entry
        title={say('shell.setup.title')}
        lead={link.name === null ? say('shell.setup.first') : say('shell.setup.welcome', { name: link.name })}
      >
        <ChooseForm name={link.name} send={async (typed) => setLink(await client.setup({ token, ...typed }))} />
      </Entry>
    )
  return (
    <Entry title={say('shell.setup.factor')} lead={say('shell.setup.factor_lead')}>
      <FactorSecret secret={link.secret} uri={link.uri} />
      <ConfirmForm
        send={async (code) => {
          setMe(await client.setupConfirm({ token, code }))
          navigate('/', { replace: true })
        }}
      />
    </Entry>
  )
}

const { name: nameInput, password: passwordInput } = consoleCalls['setup.propose'].input.shape
const chosen = chosenTwice(z.object({ name: nameInput.unwrap(), password: passwordInput.unwrap(), again: z.string() }), 'password')

/** Name, of the first operator only, and password. @param name that the link gives; null: the operator chooses it */
function ChooseForm({ name, send }: { name: string | null; send: (typed: { name?: string; password: string }) => Promise<void> }) {
  const say = useWords()
  const { field, error, busy, submit } = useCallForm({
    schema: chosen,
    defaults: { name: name ?? '', password: '', again: '' },
    needed: ['name', 'password', 'again'],
    fields: { name_taken: 'name', password_weak: 'password', link_used: 'password' },
    words: passwordWords,
    send: ({ password, ...typed }) => send({ password, ...(name === null && { name: typed.name.trim() }) }),
  })
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      {name === null ? (
        <Field label={say('shell.name')} help={say('shell.setup.name_help')} error={error('name')}>
          {(control) => <TextInput {...control} {...field('name')} autoComplete="username" />}
        </Field>
      ) : (
        <input type="text" autoComplete="username" value={name} readOnly hidden />
      )}
      <NewPasswordFields
        next={{ field: field('password'), error: error('password') }}
        again={{ field: field('again'), error: error('again') }}
      />
      <Button type="submit" tone="primary" busy={busy}>
        {say('shell.setup.next')}
      </Button>
    </form>
  )
}

function ConfirmForm({ send }: { send: (code: string) => Promise<void> }) {
  const say = useWords()
  const { field, error, busy, submit } = useCallForm({
    schema: consoleCalls['setup.confirm'].input.pick({ code: true }),
    defaults: { code: '' },
    needed: ['code'],
    send: ({ code }) => send(code.replaceAll(' ', '')),
  })
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <CodeField field={field('code')} error={error('code')} help={say('shell.setup.code_help')} />
      <Button type="submit" tone="primary" busy={busy}>
        {say('shell.setup.ok')}
      </Button>
    </form>
  )
}
