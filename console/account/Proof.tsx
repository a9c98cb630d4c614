import { useWords } from '#console/io/words.ts'
import { Field, TextInput } from '#console/parts/Field.tsx'

interface ProofProps {
  value: string
  onChange: (value: string) => void
}

/** Field of the current password. */
export function PasswordField({ value, onChange }: ProofProps) {
  const say = useWords()
  return (
    <Field label={say('shell.password')}>
      {(field) => (
        <TextInput
          {...field}
          type="password"
          autoComplete="current-password"
          maxLength={200}
          required
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

/** Field of the authenticator code. @param error what is wrong, in words */
export function CodeField({ value, onChange, help, error }: ProofProps & { help: string; error?: string | undefined }) {
  const say = useWords()
  return (
    <Field label={say('shell.code')} help={help} error={error}>
      {(field) => (
        <TextInput
          {...field}
          autoComplete="one-time-code"
          maxLength={20}
          required
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}
