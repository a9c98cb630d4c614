import { Braces } from 'lucide-react'
import { useState } from 'react'
import { ConditionInput } from '#console/editor/conditions/ConditionInput.tsx'
import { useEditing } from '#console/editor/document/useEditing.tsx'
import { namesOf } from '#console/editor/json/completion.rules.ts'
import { ProblemLines } from '#console/editor/problems/Problems.tsx'
import { EntryButtons } from '#console/editor/values/EntryButtons.tsx'
import { FieldSet } from '#console/editor/values/Fields.tsx'
import { type FormField, fieldsOf, type NameKind, resolved, schemaOfLiteral } from '#console/editor/values/fields.rules.ts'
import { JsonInput } from '#console/editor/values/JsonInput.tsx'
import styles from '#console/editor/values/StepsField.module.css'
import { formOfStep, newStep, type StepForm, stepForms } from '#console/editor/values/steps.rules.ts'
import { useWords } from '#console/io/words.ts'
import { IconButton } from '#console/parts/Button.tsx'
import { Field, Select } from '#console/parts/Field.tsx'
import { isObject } from '#language/documents/json.ts'
import { below } from '#language/text/position.ts'
import type { JsonSchema } from '#language/types/catalog.ts'

const firstNames: Record<string, NameKind> = {
  go: 'route',
  call: 'call',
  confirm: 'prompt',
  open: 'node',
  more: 'source',
  refresh: 'source',
}
/** Depth of nested steps that have forms; deeper steps are shown as JSON. */
const depthMax = 2

interface StepsFieldProps {
  /** Pointer of the list. */
  pointer: string
  steps: unknown
  label: string
  depth?: number
}

/** A list of steps, run in order. A failing step ends the list. */
export function StepsField({ pointer, steps, label, depth = 0 }: StepsFieldProps) {
  const say = useWords()
  const { known, doc, editable, insert, set } = useEditing()
  const kind = isObject(doc) ? String(doc.kind) : 'screen'
  const meta = known.schemas[kind === 'fragment' || kind === 'form' ? kind : 'screen'] ?? {}
  const forms = stepForms(meta)
  const list = Array.isArray(steps) ? steps : []
  const first = (of: string) => (isObject(doc) ? (namesOf(doc, firstNames[of] ?? 'route', known)[0] ?? '') : '')
  return (
    <fieldset className={styles.steps} aria-label={label}>
      <ol className={styles.list}>
        {list.map((step, i) => (
          <StepItem
            // biome-ignore lint/suspicious/noArrayIndexKey: steps have no names
            key={i}
            pointer={below(pointer, i)}
            step={step}
            form={formOfStep(step, forms)}
            last={i === list.length - 1}
            depth={depth}
          />
        ))}
      </ol>
      <Select
        className={styles.add ?? ''}
        aria-label={say('editor.step_add')}
        value=""
        disabled={!editable}
        choices={[
          { value: '', label: say('editor.step_add') },
          ...forms.map((form) => ({ value: form.kind, label: say(`editor.step_${form.kind}`) })),
        ]}
        onChoose={(chosen) => {
          const form = forms.find((one) => one.kind === chosen)
          if (!form) return
          const made = newStep(form, first)
          if (Array.isArray(steps)) insert({ list: pointer, index: list.length }, made, true)
          else set(pointer, [made])
        }}
      />
    </fieldset>
  )
}

interface StepItemProps {
  pointer: string
  step: unknown
  form: StepForm | undefined
  last: boolean
  depth: number
}

function StepItem({ pointer, step, form, last, depth }: StepItemProps) {
  const say = useWords()
  const { set, problems } = useEditing()
  const [raw, setRaw] = useState(false)
  const value = isObject(step) ? step : {}
  const deep = form?.kind === 'if' && depth >= depthMax
  const own = problems.filter((problem) => problem.pointer === pointer)
  const put = (next: unknown) => set(pointer, next, 'json')
  return (
    <li className={styles.step}>
      <div className={styles.head}>
        <strong>{form ? say(`editor.step_${form.kind}`) : say('editor.step_unknown')}</strong>
        <IconButton small label={say('editor.step_json')} icon={Braces} aria-pressed={raw} onClick={() => setRaw(!raw)} />
        <EntryButtons pointer={pointer} isLast={last} label={say('editor.step_remove')} />
      </div>
      {raw || !form || deep ? (
        <Field label={say('editor.step_json')}>{(control) => <JsonInput control={control} value={step} onChange={put} />}</Field>
      ) : form.kind === 'if' ? (
        <>
          <Field label={say('editor.step_condition')}>
            {(control) => (
              <ConditionInput
                control={control}
                pointer={`${pointer}/if`}
                logic={value.if}
                label={say('editor.step_condition')}
                onChange={(next) => set(`${pointer}/if`, next, 'condition')}
              />
            )}
          </Field>
          <p className={styles.branch}>{say('editor.step_then')}</p>
          <StepsField pointer={`${pointer}/then`} steps={value.then} label={say('editor.step_then')} depth={depth + 1} />
          <p className={styles.branch}>{say('editor.step_else')}</p>
          <StepsField pointer={`${pointer}/else`} steps={value.else ?? []} label={say('editor.step_else')} depth={depth + 1} />
        </>
      ) : (
        <StepFields pointer={pointer} value={value} form={form} />
      )}
      <ProblemLines problems={own} />
    </li>
  )
}

/** The members of a step. Its arguments are those of the call, the route's screen or the prompt that it names. */
function StepFields({ pointer, value, form }: { pointer: string; value: Record<string, unknown>; form: StepForm }) {
  const { known, doc } = useEditing()
  const given: Record<string, JsonSchema | undefined> = {
    args: known.catalog.calls.find(({ name }) => name === value.call)?.input,
    params: known.params[`screen/${known.screenOf[String(value.go)] ?? ''}`],
    with: known.params[`prompt/${String(value.confirm)}`],
    set: writable(doc, known.device),
  }
  const fixed = form.schema.properties?.[form.kind]?.const !== undefined
  const fields = form.fields.flatMap((field): FormField[] => {
    if (fixed && field.name === form.kind) return []
    const inner = given[field.name]
    if (!inner) return [field]
    return [{ ...field, schema: inner, computed: false, control: { kind: 'record', fields: fieldsOf(resolved(inner)) } }]
  })
  const shown = fields.filter(({ name, control }) => control.kind !== 'record' || control.fields.length > 0 || value[name] !== undefined)
  if (shown.length === 0) return null
  return <FieldSet fields={shown} pointer={pointer} value={value} />
}

/** Returns the schema of the values that a step may write: state of the screen and stored device values. */
function writable(doc: unknown, device: readonly string[]): JsonSchema {
  const state = isObject(doc) && isObject(doc.state) ? doc.state : {}
  const fields =
    isObject(doc) && doc.kind === 'form' && Array.isArray(doc.fields)
      ? doc.fields.flatMap((field) => (isObject(field) ? [`form.${String(field.name)}`] : []))
      : []
  const typed = Object.entries(state).map(([name, start]) => [`state.${name}`, schemaOfLiteral(start)] as const)
  const others = [...fields, ...device].map((name) => [name, {}] as const)
  return { type: 'object', properties: Object.fromEntries([...typed, ...others]) }
}
