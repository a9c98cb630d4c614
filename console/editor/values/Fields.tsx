import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { useEditing } from '#console/editor/document/useEditing.tsx'
import { ProblemLines } from '#console/editor/problems/Problems.tsx'
import { ConstantControl } from '#console/editor/values/ConstantControl.tsx'
import { EntryButtons } from '#console/editor/values/EntryButtons.tsx'
import styles from '#console/editor/values/Fields.module.css'
import {
  type Control,
  controlOf,
  type FormField,
  fieldsOf,
  formFor,
  inForm,
  labelOf,
  schemaOfLiteral,
  startOf,
  type ValueForm,
  valueForms,
} from '#console/editor/values/fields.rules.ts'
import { LogicInput } from '#console/editor/values/LogicInput.tsx'
import { WordsControl } from '#console/editor/words/WordsControl.tsx'
import { type Say, useWords } from '#console/io/words.ts'
import { Button, IconButton } from '#console/parts/Button.tsx'
import { type ControlProps, Select } from '#console/parts/Field.tsx'
import { isObject } from '#language/documents/json.ts'
import { below } from '#language/text/position.ts'

interface FieldSetProps {
  fields: readonly FormField[]
  pointer: string
  value: Readonly<Record<string, unknown>>
}

/** The forms of the members that are set; buttons below add the others. */
export function FieldSet({ fields, pointer, value }: FieldSetProps) {
  const say = useWords()
  const { set, editable } = useEditing()
  /** Conditions that are begun here and stand in the document once they are complete. */
  const [begun, setBegun] = useState<readonly string[]>([])
  const given = fields.filter(({ name, required }) => required || value[name] !== undefined || begun.includes(name))
  const free = fields.filter((field) => !given.includes(field))
  const known = new Set(fields.map(({ name }) => name))
  const unknown = Object.keys(value).filter((name) => !known.has(name))
  return (
    <div className={styles.set}>
      {given.map((field) => (
        <ValueField
          key={field.name}
          field={field}
          pointer={below(pointer, field.name)}
          value={value[field.name]}
          optional={!field.required}
          onRemove={() => setBegun(begun.filter((name) => name !== field.name))}
        />
      ))}
      {unknown.map((name) => (
        <ValueField
          key={name}
          field={unknownField(name, value[name], say('editor.unknown_member'))}
          pointer={below(pointer, name)}
          value={value[name]}
          optional
        />
      ))}
      {free.length > 0 && (
        <fieldset className={styles.free} aria-label={say('editor.more_members')}>
          {free.map((field) => (
            <button
              key={field.name}
              type="button"
              className={styles.add}
              disabled={!editable}
              title={field.help || undefined}
              onClick={() =>
                field.control.kind === 'condition'
                  ? setBegun([...begun, field.name])
                  : set(below(pointer, field.name), startOf(field.schema, field.name))
              }
            >
              <Plus size={13} aria-hidden />
              {memberLabel(field, say)}
            </button>
          ))}
        </fieldset>
      )}
      {fields.length === 0 && unknown.length === 0 && <p className="quiet">{say('editor.no_members')}</p>}
    </div>
  )
}

function unknownField(name: string, value: unknown, help: string): FormField {
  const schema = schemaOfLiteral(value)
  return { name, required: false, help, schema, control: controlOf(schema), computed: true }
}

/** Words of the console for a key; empty where there are none. */
/** Words of the console, empty where it has none. */
export function optionalWords(say: Say, key: string): string {
  const words = say(key)
  return words === key || words === key.slice(key.lastIndexOf('.') + 1) ? '' : words
}

/** The label of a member: words of the console where it has some, else its name. */
export function memberLabel({ name, words }: Pick<FormField, 'name' | 'words'>, say: Say): string {
  return (words && optionalWords(say, `${words}.${name}`)) || labelOf(name)
}

/** Descriptions in schemas that tell an operator nothing beside the control. */
const bareHelps = new Set(['an expression', 'a route', 'a fragment', 'a validation', 'a call of the contract'])

/** The help of a member: words of the console where it has some, else its description in the schema. */
function helpOf({ name, words, help }: FormField, say: Say): string {
  const own = words ? optionalWords(say, `${words}.${name}_help`) : ''
  if (own !== '' || words === 'fields' || words === 'conditions') return own
  return bareHelps.has(help) ? '' : help
}

interface ValueFieldProps {
  field: FormField
  pointer: string
  value: unknown
  /** Can be removed. */
  optional: boolean
  onRemove?(): void
}

/** One member with its label, help and problems: a constant, an expression or a text. */
function ValueField({ field, pointer, value, optional, onRemove }: ValueFieldProps) {
  const say = useWords()
  const editing = useEditing()
  const { editable, problems } = editing
  const form = formFor(value, field)
  const label = memberLabel(field, say)
  const help = helpOf(field, say)
  const id = `value${pointer.replaceAll(/[^\w-]/g, '_')}`
  const own = problems.filter(
    (problem) => problem.pointer === pointer || (form !== 'constant' && problem.pointer.startsWith(`${pointer}/`)),
  )
  const control: ControlProps = {
    id,
    ...((help || own.length > 0) && { 'aria-describedby': `${id}-told` }),
    ...(own.some(({ severity }) => severity === 'error') && { 'aria-invalid': true as const }),
  }
  const put = (next: unknown, together?: string) => editing.set(pointer, next, together)
  const logic = field.control.kind === 'logic' || field.control.kind === 'condition'
  return (
    <div className={styles.field} data-pointer={pointer}>
      <div className={styles.head}>
        <label className={styles.label} htmlFor={id}>
          {label}
          {field.required && <span className={styles.required}>{say('editor.required')}</span>}
        </label>
        {field.computed && !logic && (
          <Select
            className={styles.form ?? ''}
            aria-label={say('editor.form_of', { name: label })}
            value={form}
            disabled={!editable}
            choices={valueForms.map((one) => ({ value: one, label: say(`editor.form_${one}`) }))}
            onChoose={(next: ValueForm) => put(inForm(value, next, startOf(field.schema, field.name)))}
          />
        )}
        {optional && (
          <IconButton
            small
            label={say('editor.take_out', { name: label })}
            icon={X}
            disabled={!editable}
            onClick={() => {
              onRemove?.()
              put(undefined)
            }}
          />
        )}
      </div>
      {form === 'expression' && !logic ? (
        <LogicInput
          control={control}
          pointer={pointer}
          logic={isObject(value) ? value.$ : undefined}
          onChange={(next) => put({ $: next }, 'logic')}
        />
      ) : form === 'words' && !logic ? (
        <WordsControl control={control} pointer={pointer} value={isObject(value) ? value : {}} onChange={(next) => put(next, 'words')} />
      ) : field.control.kind === 'list' || field.control.kind === 'record' ? (
        <ListControl control={field.control} pointer={pointer} value={value} label={label} />
      ) : (
        <ConstantControl
          control={control}
          kind={field.control}
          pointer={pointer}
          value={value}
          label={label}
          choices={field.choices}
          onChange={put}
        />
      )}
      <div id={`${id}-told`}>
        {help && <p className={styles.help}>{help}</p>}
        <ProblemLines problems={own} />
      </div>
    </div>
  )
}

interface ListControlProps {
  control: Extract<Control, { kind: 'list' | 'record' }>
  pointer: string
  value: unknown
  label: string
}

/** A list of items, each with its own form. */
function ListControl({ control, pointer, value, label }: ListControlProps) {
  const say = useWords()
  const { editable, insert } = useEditing()
  if (control.kind === 'record')
    return (
      <div className={styles.item}>
        <FieldSet fields={control.fields} pointer={pointer} value={isObject(value) ? value : {}} />
      </div>
    )
  const items = Array.isArray(value) ? value : []
  const full = control.max !== null && items.length >= control.max
  const inner = controlOf(control.item)
  return (
    <div className={styles.list}>
      {items.map((item, i) => {
        const at = below(pointer, i)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: items have no names of their own
          <div key={i} className={styles.item}>
            <div className={styles.itemHead}>
              <span>{say('editor.item', { number: i + 1 })}</span>
              <EntryButtons
                pointer={at}
                isLast={i === items.length - 1}
                label={say('editor.take_out', { name: say('editor.item', { number: i + 1 }) })}
              />
            </div>
            {inner.kind === 'record' && isObject(item) && !('$' in item) ? (
              <FieldSet fields={fieldsOf(control.item)} pointer={at} value={item} />
            ) : (
              <ValueField
                field={{ name: labelOf(label), required: true, help: '', schema: control.item, control: inner, computed: true }}
                pointer={at}
                value={item}
                optional={false}
              />
            )}
          </div>
        )
      })}
      <div>
        <Button
          small
          icon={Plus}
          disabled={!editable || full}
          onClick={() => insert({ list: pointer, index: items.length }, startOf(control.item, label), true)}
        >
          {say('editor.item_add')}
        </Button>
        {full && <span className="quiet"> {say('editor.list_full', { count: control.max })}</span>}
      </div>
    </div>
  )
}
