import { useConsole } from '#console/io/console.ts'
import { consoleLanguages, useWords } from '#console/io/words.ts'
import { Field, Select } from '#console/parts/Field.tsx'
import { useToast } from '#console/parts/Toast.tsx'

/** The language of the console itself, not of the app. */
export function LanguageSelect() {
  const say = useWords()
  const toast = useToast()
  const { words } = useConsole()
  return (
    <Field label={say('shell.language')}>
      {(field) => (
        <Select
          {...field}
          value={words.language()}
          choices={consoleLanguages.map(({ id, label }) => ({ value: id, label }))}
          onChoose={(language) => void words.change(language).catch(toast.bad)}
        />
      )}
    </Field>
  )
}
