import { useState } from 'react'
import { spoken } from '#console/editor/document/known.ts'
import { useEditing } from '#console/editor/document/useEditing.tsx'
import styles from '#console/editor/kinds/Kinds.module.css'
import { typedValue, verdictOf } from '#console/editor/kinds/verdict.rules.ts'
import { MapEditor } from '#console/editor/node/MapEditor.tsx'
import { Section } from '#console/editor/node/Section.tsx'
import { ProblemLines } from '#console/editor/problems/Problems.tsx'
import { messageInWords } from '#console/editor/problems/problem-words.rules.ts'
import { useOwnProblems } from '#console/editor/problems/useProblems.ts'
import { FieldSet } from '#console/editor/values/Fields.tsx'
import { fieldsOf, labelOf } from '#console/editor/values/fields.rules.ts'
import { useWords } from '#console/io/words.ts'
import { Field, Select, TextInput } from '#console/parts/Field.tsx'
import { isObject } from '#language/documents/json.ts'

/** The form of a validation: its rule as text, and a field to try it. */
export function ValidationForm() {
  const say = useWords()
  const { doc, known } = useEditing()
  const schema = known.schemas.validation ?? {}
  const fields = fieldsOf(schema, schema).filter(({ name }) => ['test', 'message', 'level'].includes(name))
  const rule = isObject(doc) ? doc : {}
  const problems = useOwnProblems('', ['test', 'message', 'level', 'params'])
  const params = schema.properties?.params?.additionalProperties
  return (
    <div className={styles.frame}>
      <ProblemLines problems={problems} />
      <FieldSet fields={fields} pointer="" value={Object.fromEntries(fields.map(({ name }) => [name, rule[name]]))} />
      <TryIt rule={rule} />
      <Section title={say('editor.rule_params')} help={say('editor.rule_params_help')} folded={rule.params === undefined}>
        <MapEditor pointer="/params" value={rule.params} add={say('editor.param_add')} fresh="param" start={{ type: 'string' }}>
          {(pointer, value) => (
            <FieldSet
              fields={typeof params === 'object' ? fieldsOf(params, schema).map((field) => ({ ...field, computed: false })) : []}
              pointer={pointer}
              value={isObject(value) ? value : {}}
            />
          )}
        </MapEditor>
      </Section>
    </div>
  )
}

function TryIt({ rule }: { rule: Record<string, unknown> }) {
  const say = useWords()
  const { known, path, workspace } = useEditing()
  const [typed, setTyped] = useState('')
  const [as, setAs] = useState<'text' | 'list' | 'switch'>('text')
  const [given, setGiven] = useState<Record<string, string>>({})
  const params = Object.keys(isObject(rule.params) ? rule.params : {})
  const compiled = workspace.unread.includes(path) ? undefined : workspace.sources?.find(({ file }) => file === path)?.doc
  const verdict = compiled?.kind === 'validation' ? verdictOf(compiled, typedValue(typed, as), given) : null
  return (
    <section className={styles.try} aria-label={say('editor.try')}>
      <h2>{say('editor.try')}</h2>
      <div className={styles.tools}>
        <TextInput
          aria-label={say('editor.try_value')}
          placeholder={say('editor.try_value')}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <div>
          <Select
            aria-label={say('editor.try_as')}
            value={as}
            choices={(['text', 'list', 'switch'] as const).map((value) => ({ value, label: say(`editor.try_${value}`) }))}
            onChoose={setAs}
          />
        </div>
      </div>
      {params.map((name) => (
        <Field key={name} label={labelOf(name)} inline>
          {(control) => (
            <TextInput {...control} value={given[name] ?? ''} onChange={(event) => setGiven({ ...given, [name]: event.target.value })} />
          )}
        </Field>
      ))}
      <p className={styles.verdict} data-verdict={verdict?.kind ?? 'broken'} role="status">
        {verdict === null && say('editor.verdict_unread')}
        {verdict?.kind === 'right' && say('editor.verdict_right')}
        {verdict?.kind === 'wrong' && say('editor.verdict_wrong', { message: spoken(rule.message, known.words) })}
        {verdict?.kind === 'unsure' && say('editor.verdict_unsure', { names: verdict.missing.join(', ') })}
        {verdict?.kind === 'broken' &&
          say('editor.verdict_broken', { message: messageInWords(verdict.message, undefined, say, known.words) })}
      </p>
    </section>
  )
}
