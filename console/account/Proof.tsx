import type { UseFormRegisterReturn } from 'react-hook-form'
import { useWords } from '#console/io/words.ts'
import { Field, TextInput } from '#console/parts/Field.tsx'

interface ProofProps {
  field: UseFormRegisterReturn
  /** In words. */
  error: string | undefined
}

/** Field of the current password. */
export function PasswordField({ field, error }: ProofProps) {
  const say = useWords()
  return (
    <Field label={say('shell.password')} error={error}>
      {(control) => <TextInput {...control} {...field} type="password" autoComplete="current-password" />}
    </Field>
  )
}

/** Field of a password that is chosen, and the same once more. */
export function NewPasswordFields({ next, again }: { next: ProofProps; again: ProofProps }) {
  const say = useWords()
  const secret = { type: 'password', autoComplete: 'new-password' } as const
  return (
    <>
      <Field label={say('shell.setup.password')} help={say('shell.setup.password_help')} error={next.error}>
        {(control) => <TextInput {...control} {...next.field} {...secret} />}
      </Field>
      <Field label={say('shell.setup.again')} error={again.error}>
        {(control) => <TextInput {...control} {...again.field} {...secret} />}
      </Field>
    </>
  )
}

/** Field of the authenticator code. */
export function CodeField({ field, error, help }: ProofProps & { help: string }) {
  const say = useWords()
  return (
    <Field label={say('shell.code')} help={help} error={error}>
      {(control) => <TextInput {...control} {...field} autoComplete="one-time-code" />}
    </Field>
  )
}
