import { useEditing } from '#console/editor/document/useEditing.tsx'
import { FormParts } from '#console/editor/node/FormParts.tsx'
import { MapEditor, NamedValues } from '#console/editor/node/MapEditor.tsx'
import styles from '#console/editor/node/Node.module.css'
import { Section } from '#console/editor/node/Section.tsx'
import { ProblemLines } from '#console/editor/problems/Problems.tsx'
import { useOwnProblems } from '#console/editor/problems/useProblems.ts'
import { ConstantControl } from '#console/editor/values/ConstantControl.tsx'
import { FieldSet } from '#console/editor/values/Fields.tsx'
import { type FormField, fieldsOf } from '#console/editor/values/fields.rules.ts'
import { JsonInput } from '#console/editor/values/JsonInput.tsx'
import { StepsField } from '#console/editor/values/StepsField.tsx'
import { useWords } from '#console/io/words.ts'
import { Field, Select } from '#console/parts/Field.tsx'
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
  'pages',
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
  const lists = (['rules', 'groups', 'pages'] as const).filter(has)
  const outcome = schema.properties?.errors?.additionalProperties
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
            {(pointer, value) => <StartValue pointer={pointer} value={value} />}
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
      {lists.map((name) => (
        <Section
          key={name}
          title={say(`editor.${name}`)}
          {...(name === 'pages' && { help: say('fields.pages_help') })}
          folded={doc[name] === undefined}
        >
          {name === 'rules' ? (
            <FieldSet
              fields={fieldsOf(schema, schema).filter((field) => field.name === name)}
              pointer=""
              value={doc[name] === undefined ? {} : { [name]: doc[name] }}
            />
          ) : (
            <FormParts name={name} schema={schema} />
          )}
        </Section>
      ))}
      {has('errors') && (
        <Section title={say('editor.errors')} help={say('editor.errors_help')} folded={doc.errors === undefined}>
          <MapEditor
            pointer="/errors"
            value={doc.errors}
            add={say('editor.error_add')}
            fresh="problem"
            start={{ toast: true }}
            pattern={/^(?:\*|[a-z][a-z0-9_]{0,59})$/}
          >
            {(pointer, value) => (
              <FieldSet
                fields={typeof outcome === 'object' ? fieldsOf(outcome, schema).map(outcomeField) : []}
                pointer={pointer}
                value={isObject(value) ? value : {}}
              />
            )}
          </MapEditor>
        </Section>
      )}
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

/** The note of a problem is its own message, which is a switch, or a text. */
const outcomeField = (field: FormField): FormField =>
  field.name === 'toast' ? { ...field, schema: { type: 'boolean' }, control: { kind: 'switch' }, computed: true } : field

/** The initial value of a state: by its kind; lists and groups as JSON. */
function StartValue({ pointer, value }: { pointer: string; value: unknown }) {
  const say = useWords()
  const { set, editable } = useEditing()
  const kind = typeof value === 'boolean' ? 'switch' : typeof value === 'number' ? 'number' : typeof value === 'string' ? 'text' : 'json'
  if (kind === 'json')
    return (
      <Field label={say('editor.state_json')}>
        {(control) => <JsonInput control={control} value={value} onChange={(next) => set(pointer, next, 'json')} />}
      </Field>
    )
  const starts = { text: '', number: 0, switch: false }
  return (
    <>
      <Field label={say('editor.state_kind')} inline>
        {(control) => (
          <Select
            {...control}
            value={kind}
            disabled={!editable}
            choices={(['text', 'number', 'switch'] as const).map((one) => ({ value: one, label: say(`editor.constant_${one}`) }))}
            onChoose={(next) => set(pointer, starts[next])}
          />
        )}
      </Field>
      <Field label={say('editor.state_start')}>
        {(control) => (
          <ConstantControl
            control={control}
            kind={
              kind === 'number' ? { kind: 'number', integer: false, min: null, max: null } : { kind: kind === 'switch' ? 'switch' : 'line' }
            }
            pointer={pointer}
            value={value}
            label={say('editor.state_start')}
            onChange={(next) => set(pointer, next, 'start')}
          />
        )}
      </Field>
    </>
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
