import type { Known } from '#console/editor/document/known.ts'
import { formsOf, wordsOf } from '#console/editor/document/text-forms.rules.ts'
import { useEditing } from '#console/editor/document/useEditing.tsx'
import styles from '#console/editor/words/WordsControl.module.css'
import { useWords } from '#console/io/words.ts'
import { type ControlProps, Field, TextArea, TextInput } from '#console/parts/Field.tsx'

interface WordsLinesProps {
  control: ControlProps
  /** `{"$t": key, …arguments}` */
  value: Readonly<Record<string, unknown>>
  language: string
  /** Read-only. */
  fixed: boolean
}

/** The texts of a value in one language: one line, or one for each plural form and each context. */
export function WordsLines({ control, value, language, fixed }: WordsLinesProps) {
  const { known } = useEditing()
  const key = String(value.$t)
  const forms = formsOf(known.texts, known.languages, language, value)
  const [only] = forms
  if (forms.length === 1 && only !== undefined) return <WordsLine control={control} form={only} language={language} fixed={fixed} />
  return (
    <div className={styles.forms}>
      {forms.map((form, i) => (
        <Field key={form} label={form.slice(key.length).replace(/^_/, '') || key} inline>
          {(own) => <WordsLine control={i === 0 ? { ...own, id: control.id } : own} form={form} language={language} fixed={fixed} />}
        </Field>
      ))}
    </div>
  )
}

/** One line, labelled with the name of the language. */
export function WordsRow({ language, ...lines }: Omit<WordsLinesProps, 'control'>) {
  return (
    <Field label={language} inline>
      {(control) => <WordsLines control={control} language={language} {...lines} />}
    </Field>
  )
}

interface WordsLineProps {
  control: ControlProps
  form: string
  language: string
  fixed: boolean
}

function WordsLine({ control, form, language, fixed }: WordsLineProps) {
  const say = useWords()
  const { known, say: write, workspace } = useEditing()
  const words = wordsOf(known.texts, language, form)
  const empty = words !== undefined && words.trim() === ''
  const long = (words ?? '').length > 60 || words?.includes('\n')
  const props = {
    ...control,
    value: words ?? '',
    lang: language,
    disabled: !workspace.editable,
    readOnly: fixed,
    ...(empty && { 'aria-invalid': true as const }),
    onChange: (event: { target: { value: string } }) => write(form, language, event.target.value, `${form} ${language}`),
  }
  return (
    <>
      {long ? <TextArea {...props} rows={3} /> : <TextInput {...props} spellCheck />}
      {empty && (
        <p role="alert" className={styles.empty}>
          {say('editor.words_empty')}
        </p>
      )}
    </>
  )
}

/** The language in which the operator reads texts. */
export function languageShown({ words, texts, languages }: Known, value: Readonly<Record<string, unknown>>, main: string): string {
  const key = formsOf(texts, languages, main, value)[0] ?? ''
  return (
    languages.find((lng) => lng !== main && wordsOf(texts, lng, key) === words[key] && wordsOf(texts, main, key) !== words[key]) ?? main
  )
}
