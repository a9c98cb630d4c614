import { useEffect, useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router-dom'
import styles from '#console/account/Entry.module.css'
import { Entry } from '#console/account/Entry.tsx'
import { FactorSecret } from '#console/account/FactorSecret.tsx'
import { CodeField } from '#console/account/Proof.tsx'
import { useConsole } from '#console/io/console.ts'
import { useWords } from '#console/io/words.ts'
import { Button, LinkButton } from '#console/parts/Button.tsx'
import { Skeleton } from '#console/parts/EmptyState.tsx'
import { Field, TextInput } from '#console/parts/Field.tsx'
import { problemText } from '#console/parts/Toast.tsx'
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
  const [busy, setBusy] = useState(false)
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const [code, setCode] = useState('')

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

  const run = async (work: () => Promise<void>) => {
    setBusy(true)
    setError(null)
    try {
      await work()
    } catch (problem) {
      setError(problem)
    } finally {
      setBusy(false)
    }
  }
  const propose = () => run(async () => setLink(await client.setup({ token, password, ...(link?.name === null && { name: name.trim() }) })))
  const confirm = () =>
    run(async () => {
      setMe(await client.setupConfirm({ token, code: code.replaceAll(' ', '') }))
      navigate('/', { replace: true })
    })

  const answer = error ? problemText(say, error) : undefined
  if (!link) {
    if (!answer) return <Entry title={say('shell.setup.title')}>{<Skeleton rows={3} />}</Entry>
    return (
      <Entry title={say('shell.setup.title')} lead={answer}>
        <LinkButton to="/login">{say('shell.setup.to_login')}</LinkButton>
      </Entry>
    )
  }
  if (link.secret === null || link.uri === null) {
    const different = again !== '' && again !== password
    return (
      <Entry
        title={say('shell.setup.title')}
        lead={link.name === null ? say('shell.setup.first') : say('shell.setup.welcome', { name: link.name })}
      >
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault()
            void propose()
          }}
        >
          {link.name === null ? (
            <Field label={say('shell.name')} help={say('shell.setup.name_help')}>
              {(field) => (
                <TextInput
                  {...field}
                  autoComplete="username"
                  maxLength={60}
                  required
                  value={name}
                  onChange={(event) => setName(event.target.value)}
                />
              )}
            </Field>
          ) : (
            <input type="text" autoComplete="username" value={link.name} readOnly hidden />
          )}
          <Field label={say('shell.setup.password')} help={say('shell.setup.password_help')} error={answer}>
            {(field) => (
              <TextInput
                {...field}
                type="password"
                autoComplete="new-password"
                minLength={12}
                maxLength={200}
                required
                value={password}
                onChange={(event) => setPassword(event.target.value)}
              />
            )}
          </Field>
          <Field label={say('shell.setup.again')} error={different ? say('shell.setup.different') : undefined}>
            {(field) => (
              <TextInput
                {...field}
                type="password"
                autoComplete="new-password"
                maxLength={200}
                required
                value={again}
                onChange={(event) => setAgain(event.target.value)}
              />
            )}
          </Field>
          <Button type="submit" tone="primary" busy={busy} disabled={password.length < 12 || again !== password}>
            {say('shell.setup.next')}
          </Button>
        </form>
      </Entry>
    )
  }
  const { secret, uri } = link
  return (
    <Entry title={say('shell.setup.factor')} lead={say('shell.setup.factor_lead')}>
      <FactorSecret secret={secret} uri={uri} />
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          void confirm()
        }}
      >
        <CodeField value={code} onChange={setCode} help={say('shell.setup.code_help')} error={answer} />
        <Button type="submit" tone="primary" busy={busy}>
          {say('shell.setup.ok')}
        </Button>
      </form>
    </Entry>
  )
}
