import { Navigate, useNavigate, useSearchParams } from 'react-router-dom'
import styles from '#console/account/Entry.module.css'
import { Entry } from '#console/account/Entry.tsx'
import { CodeField, PasswordField } from '#console/account/Proof.tsx'
import { useConsole } from '#console/io/console.ts'
import { useWords } from '#console/io/words.ts'
import { Button } from '#console/parts/Button.tsx'
import { Field, TextInput } from '#console/parts/Field.tsx'
import { useCallForm } from '#console/parts/form/useCallForm.ts'
import { consoleCalls } from '#contract/console/console.calls.ts'

/** Only pages of this console are allowed as the target after the login. */
const placeAfter = (wanted: string | null) =>
  wanted?.startsWith('/') && !wanted.startsWith('//') && !wanted.startsWith('/login') ? wanted : '/'

const schema = consoleCalls['session.login'].input.pick({ name: true, password: true, code: true })

export function LoginPage() {
  const say = useWords()
  const { client, me, setMe } = useConsole()
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const to = placeAfter(search.get('to'))
  const { field, error, busy, submit } = useCallForm({
    schema,
    defaults: { name: '', password: '', code: '' },
    needed: ['name', 'password', 'code'],
    async send({ name, password, code }) {
      setMe(await client.login({ name: name.trim(), password, code: code.replaceAll(' ', '') }))
      navigate(to, { replace: true })
    },
  })
  if (me) return <Navigate to={to} replace />
  return (
    <Entry title={say('shell.login.title')} lead={say('shell.login.lead')}>
      <form className={styles.form} onSubmit={submit} noValidate>
        <Field label={say('shell.name')} error={error('name')}>
          {(control) => <TextInput {...control} {...field('name')} autoComplete="username" />}
        </Field>
        <PasswordField field={field('password')} error={error('password')} />
        <CodeField field={field('code')} error={error('code')} help={say('shell.code_help')} />
        <Button type="submit" tone="primary" busy={busy}>
          {say('shell.login.ok')}
        </Button>
      </form>
    </Entry>
  )
}
