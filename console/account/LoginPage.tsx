import { useState } from 'react'
import { Navigate, useNavigate, useSearchParams } from 'react-router-dom'
import styles from '#console/account/Entry.module.css'
import { Entry } from '#console/account/Entry.tsx'
import { CodeField, PasswordField } from '#console/account/Proof.tsx'
import { useConsole } from '#console/io/console.ts'
import { useWords } from '#console/io/words.ts'
import { Button } from '#console/parts/Button.tsx'
import { Field, TextInput } from '#console/parts/Field.tsx'
import { problemText } from '#console/parts/Toast.tsx'

/** Only pages of this console are allowed as the target after the login. */
const placeAfter = (wanted: string | null) =>
  wanted?.startsWith('/') && !wanted.startsWith('//') && !wanted.startsWith('/login') ? wanted : '/'

export function LoginPage() {
  const say = useWords()
  const { client, me, setMe } = useConsole()
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const to = placeAfter(search.get('to'))
  if (me) return <Navigate to={to} replace />
  const send = async () => {
    setBusy(true)
    setError(null)
    try {
      setMe(await client.login({ name: name.trim(), password, code: code.replaceAll(' ', '') }))
      navigate(to, { replace: true })
    } catch (problem) {
      setError(problem)
      setCode('')
      setBusy(false)
    }
  }
  return (
    <Entry title={say('shell.login.title')} lead={say('shell.login.lead')}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <Field label={say('shell.name')}>
          {(field) => (
            <TextInput
              {...field}
              autoComplete="username"
              maxLength={100}
              required
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <PasswordField value={password} onChange={setPassword} />
        <CodeField value={code} onChange={setCode} help={say('shell.code_help')} error={error ? problemText(say, error) : undefined} />
        <Button type="submit" tone="primary" busy={busy}>
          {say('shell.login.ok')}
        </Button>
      </form>
    </Entry>
  )
}
