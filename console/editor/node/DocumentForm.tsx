import { useEditing } from '#console/editor/document/useEditing.tsx'
import { MapEditor, NamedValues } from '#console/editor/node/MapEditor.tsx'
import styles from '#console/editor/node/Node.module.css'
import { Section } from '#console/editor/node/Section.tsx'
import { ProblemLines } from '#console/editor/problems/Problems.tsx'
import { useOwnProblems } from '#console/editor/problems/useProblems.ts'
import { FieldSet } from '#console/editor/values/Fields.tsx'
import { type FormField, fieldsOf } from '#console/editor/values/fields.rules.ts'
import { JsonInput } from '#console/editor/values/JsonInput.tsx'
import { StepsField } from '#console/editor/values/StepsField.tsx'
import { useWords } from '#console/io/words.ts'
import { Field } from '#console/parts/Field.tsx'
import { isObject } from '#language/documents/json.ts'
import { frameLists } from '#language/text/position.ts'
import type { JsonSchema } from '#language/types/catalog.ts'

/** Members with a form of their own; the forms of other members follow from the schema. */
const apart = [
  '$schema',
  'kind',
  'id',
  'format',
  ...frameLists,
  'body',
  'fields',
  'tabBar',
  'data',
  'actions',
  'enter',
  'state',
  'values',
  'params',
  'submit',
  'errors',
  'rules',
  'groups',
]

/** The settings of a whole screen, form or fragment: sources, state, parameters and actions. */
export function DocumentForm() {
  const say = useWords()
  const { doc, known } = useEditing()
  const problems = useOwnProblems('', [...frameLists, 'body', 'fields'])
  if (!isObject(doc)) return null
  const kind = String(doc.kind)
  const schema = known.schemas[kind] ?? {}
  const has = (name: string) => schema.properties !== undefined && Object.hasOwn(schema.properties, name)
  const plain = fieldsOf(schema, schema).filter(({ name }) => !apart.includes(name))
  const json = (['errors', 'rules', 'groups'] as const).filter(has)
  return (
    <div className={styles.form}>
      <header className={styles.head}>
        <h2>{say('editor.document_of', { kind: say(`editor.kind_${kind}`) })}</h2>
        <p className="quiet mono">{String(doc.id)}</p>
        <ProblemLines problems={problems.slice(0, 8)} />
      </header>
      {has('data') && (
        <Section title={say('editor.sources')} help={say('editor.sources_help')}>
          <MapEditor pointer="/data" value={doc.data} add={say('editor.source_add')} fresh="source" start={{ call: '' }}>
            {(pointer, value) => <SourceForm pointer={pointer} value={value} />}
          </MapEditor>
        </Section>
      )}
      {has('state') && (
        <Section title={say('editor.state')} help={say('editor.state_help')} folded={doc.state === undefined}>
          <MapEditor pointer="/state" value={doc.state} add={say('editor.state_add')} fresh="value" start="">
            {(pointer, value) => <JsonMember pointer={pointer} value={value} label={say('editor.state_start')} />}
          </MapEditor>
        </Section>
      )}
      {has('values') && <NamedValues />}
      {has('params') && (
        <Section title={say('editor.params')} help={say('editor.params_help')} folded={doc.params === undefined}>
          <MapEditor pointer="/params" value={doc.params} add={say('editor.param_add')} fresh="param" start={{ type: 'string' }}>
            {(pointer, value) => <FieldSet fields={paramFields(schema)} pointer={pointer} value={isObject(value) ? value : {}} />}
          </MapEditor>
        </Section>
      )}
      {has('actions') && (
        <Section title={say('editor.actions')} help={say('editor.actions_help')} folded={doc.actions === undefined}>
          <MapEditor pointer="/actions" value={doc.actions} add={say('editor.action_add')} fresh="action" start={[]}>
            {(pointer, value, name) => <StepsField pointer={pointer} steps={value} label={name} />}
          </MapEditor>
        </Section>
      )}
      {has('enter') && (
        <Section title={say('editor.enter')} folded={doc.enter === undefined}>
          <StepsField pointer="/enter" steps={doc.enter} label={say('editor.enter')} />
        </Section>
      )}
      {kind === 'form' && (
        <Section title={say('editor.submit')}>
          <FieldSet
            fields={fieldsOf(schema.properties?.submit ?? {}, schema).filter(({ name }) => name !== 'steps')}
            pointer="/submit"
            value={without(doc.submit, 'steps')}
          />
          <StepsField pointer="/submit/steps" steps={isObject(doc.submit) ? doc.submit.steps : []} label={say('editor.submit')} />
        </Section>
      )}
      {plain.length > 0 && (
        <Section title={say('editor.more')} folded>
          <FieldSet fields={plain} pointer="" value={Object.fromEntries(plain.map(({ name }) => [name, doc[name]]))} />
        </Section>
      )}
      {json.map((name) => (
        <Section key={name} title={say(`editor.${name}`)} help={say(`editor.${name}_help`)} folded={doc[name] === undefined}>
          <JsonMember pointer={`/${name}`} value={doc[name]} label={say(`editor.${name}`)} />
        </Section>
      ))}
    </div>
  )
}

function without(value: unknown, name: string): Record<string, unknown> {
  return isObject(value) ? Object.fromEntries(Object.entries(value).filter(([one]) => one !== name)) : {}
}

function paramFields(schema: JsonSchema): FormField[] {
  const params = schema.properties?.params
  return typeof params?.additionalProperties === 'object'
    ? fieldsOf(params.additionalProperties, schema).map((field) => ({ ...field, computed: false }))
    : []
}

function JsonMember({ pointer, value, label }: { pointer: string; value: unknown; label: string }) {
  const { set } = useEditing()
  return (
    <Field label={label}>
      {(control) => <JsonInput control={control} value={value} onChange={(next) => set(pointer, next, 'json')} />}
    </Field>
  )
}

/** A source: a call with its arguments, and the condition under which it is loaded. */
function SourceForm({ pointer, value }: { pointer: string; value: unknown }) {
  const { known } = useEditing()
  const schema = known.schemas.screen?.properties?.data?.additionalProperties
  const source = isObject(value) ? value : {}
  const call = known.catalog.calls.find(({ name }) => name === source.call)
  const fields = typeof schema === 'object' ? fieldsOf(schema, known.schemas.screen ?? schema) : []
  const shown = fields.flatMap((field): FormField[] => {
    if (field.name === 'call') return [{ ...field, help: call?.summary ?? field.help, control: { kind: 'name', of: 'read' } }]
    if (field.name !== 'args') return [field]
    const inner = fieldsOf(call?.input ?? {})
    return inner.length === 0 && source.args === undefined
      ? []
      : [{ ...field, schema: call?.input ?? {}, computed: false, control: { kind: 'record', fields: inner } }]
  })
  return <FieldSet fields={shown} pointer={pointer} value={source} />
}
