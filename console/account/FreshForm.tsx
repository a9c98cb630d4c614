import { CodeField, PasswordField } from '#console/account/Proof.tsx'
import { useConsole } from '#console/io/console.ts'
import { useWords } from '#console/io/words.ts'
import { Button } from '#console/parts/Button.tsx'
import { useCallForm } from '#console/parts/form/useCallForm.ts'
import { consoleCalls } from '#contract/console/console.calls.ts'

/** Password and code of the operator who is logged in. */
export function FreshForm({ onDone }: { onDone: () => void }) {
  const say = useWords()
  const { client, setMe, me } = useConsole()
  const { field, error, busy, submit } = useCallForm({
    schema: consoleCalls['session.fresh'].input,
    defaults: { password: '', code: '' },
    needed: ['password', 'code'],
    async send({ password, code }) {
      setMe(await client.fresh({ password, code: code.replaceAll(' ', '') }))
      onDone()
    },
  })
  return (
    <form onSubmit={submit} style={{ display: 'contents' }} noValidate>
      <p className="quiet">{say('shell.fresh.why')}</p>
      <input type="text" autoComplete="username" value={me?.operator.name ?? ''} readOnly hidden />
      <PasswordField field={field('password')} error={error('password')} />
      <CodeField field={field('code')} error={error('code')} help={say('shell.code_help')} />
      <Button type="submit" tone="primary" busy={busy}>
        {say('shell.fresh.ok')}
      </Button>
    </form>
  )
}
