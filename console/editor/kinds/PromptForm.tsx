import { spoken } from '#console/editor/document/known.ts'
import { useEditing } from '#console/editor/document/useEditing.tsx'
import styles from '#console/editor/kinds/Kinds.module.css'
import { NamedValues } from '#console/editor/node/MapEditor.tsx'
import { ProblemLines } from '#console/editor/problems/Problems.tsx'
import { useOwnProblems } from '#console/editor/problems/useProblems.ts'
import { FieldSet } from '#console/editor/values/Fields.tsx'
import { fieldsOf } from '#console/editor/values/fields.rules.ts'
import { useWords } from '#console/io/words.ts'
import { isObject } from '#language/documents/json.ts'

/** The form of a prompt, with a picture of it. */
export function PromptForm() {
  const say = useWords()
  const { doc, known } = useEditing()
  const schema = known.schemas.prompt ?? {}
  const fields = fieldsOf(schema, schema).filter(({ name }) => !['$schema', 'kind', 'id', 'format', 'values'].includes(name))
  const problems = useOwnProblems('', ['values', ...fields.map(({ name }) => name)])
  const prompt = isObject(doc) ? doc : {}
  const rows = Array.isArray(prompt.rows) ? prompt.rows.filter(isObject) : []
  const words = (value: unknown, otherwise: string) => spoken(value, known.words) || otherwise
  return (
    <div className={styles.frame}>
      <section className={styles.picture} aria-label={say('editor.prompt_picture')}>
        <div className={styles.prompt}>
          <h2>{words(prompt.title, '…')}</h2>
          {prompt.text !== undefined && <p>{words(prompt.text, '…')}</p>}
          {rows.length > 0 && (
            <dl>
              {rows.map((row, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows have no names
                <div key={i}>
                  <dt>{words(row.label, '…')}</dt>
                  <dd>{words(row.value, '…')}</dd>
                </div>
              ))}
            </dl>
          )}
          <div className={styles.promptButtons}>
            <span>{words(prompt.cancel, say('editor.prompt_cancel'))}</span>
            <span data-danger={prompt.danger === true || undefined}>{words(prompt.ok, say('editor.prompt_ok'))}</span>
          </div>
        </div>
      </section>
      <ProblemLines problems={problems} />
      <FieldSet fields={fields} pointer="" value={Object.fromEntries(fields.map(({ name }) => [name, prompt[name]]))} />
      <NamedValues />
    </div>
  )
}
