import { Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { spoken } from '#console/editor/document/known.ts'
import { useEditing } from '#console/editor/document/useEditing.tsx'
import styles from '#console/editor/fields/Fields.module.css'
import { partsOfField } from '#console/editor/fields/field-parts.rules.ts'
import { NeededControl } from '#console/editor/fields/NeededControl.tsx'
import { RulesControl } from '#console/editor/fields/RulesControl.tsx'
import { TryField } from '#console/editor/fields/TryField.tsx'
import { Conditions } from '#console/editor/node/Conditions.tsx'
import { Events } from '#console/editor/node/Events.tsx'
import { Head, IdField } from '#console/editor/node/Head.tsx'
import node from '#console/editor/node/Node.module.css'
import { Section } from '#console/editor/node/Section.tsx'
import { useOwnProblems } from '#console/editor/problems/useProblems.ts'
import { freshName } from '#console/editor/tree/moves.rules.ts'
import { typeOf } from '#console/editor/tree/rows.rules.ts'
import { EntryButtons } from '#console/editor/values/EntryButtons.tsx'
import { FieldSet } from '#console/editor/values/Fields.tsx'
import { type FormField, propsOf } from '#console/editor/values/fields.rules.ts'
import { useWords } from '#console/io/words.ts'
import { Button } from '#console/parts/Button.tsx'
import { isObject } from '#language/documents/json.ts'
import { widgetOf } from '#language/text/shorthand.ts'
import type { JsonSchema } from '#language/types/catalog.ts'

interface FieldFormProps {
  pointer: string
  value: Record<string, unknown>
}

const noFields: JsonSchema = {}
const schemaOfFields = (meta: JsonSchema | undefined): JsonSchema => meta?.properties?.fields?.items ?? noFields

/** The form of a field of a form: the question, whether it must be answered, its limits and rules, a trial, and the looks of its widget. */
export function FormFieldForm({ pointer, value }: FieldFormProps) {
  const { known } = useEditing()
  return <FieldForm pointer={pointer} value={value} own={schemaOfFields(known.schemas.form)} />
}

/** Titles of the groups or pages of a form by their ids. */
const titlesIn = (doc: unknown, name: 'groups' | 'pages', words: Readonly<Record<string, string>>): Record<string, string> => {
  const list = isObject(doc) ? doc[name] : undefined
  if (!Array.isArray(list)) return {}
  return Object.fromEntries(list.flatMap((one) => (isObject(one) ? [[String(one.id), spoken(one.title, words) || String(one.id)]] : [])))
}

/** @param own schema of the field: a field of the form, or of a row */
function FieldForm({ pointer, value, own }: FieldFormProps & { own: JsonSchema }) {
  const say = useWords()
  const { known, doc } = useEditing()
  const type = typeOf(widgetOf(value))
  const widget = known.catalog.widgets.find((one) => one.type === type)
  const meta = known.schemas.form ?? noFields
  const parts = useMemo(() => {
    const widgets = known.catalog.widgets.map((one) => one.type).filter((one) => one.endsWith('-field'))
    return partsOfField(value, own, meta, widgets, Object.keys(titlesIn(doc, 'groups', known.words)), titlesIn(doc, 'pages', known.words))
  }, [value, own, meta, known.catalog, known.words, doc])
  const all = [...parts.asked, ...parts.answer, ...parts.limits, ...parts.more]
  const rest = useOwnProblems(pointer, ['props', 'show', 'enable', 'on', 'required', 'rules', 'fields', ...all.map(({ name }) => name)])
  const set = (fields: readonly FormField[]) => (
    <FieldSet fields={fields} pointer={pointer} value={Object.fromEntries(fields.map(({ name }) => [name, value[name]]))} />
  )
  const isSet = (fields: readonly FormField[]) => fields.some(({ name }) => value[name] !== undefined)
  const isRows = value.type === 'rows'
  return (
    <div className={node.form}>
      <Head type={type} known={widget !== undefined} problems={rest} />
      <IdField pointer={`${pointer}/name`} id={String(value.name ?? '')} name="name" />
      <Section title={say('fields.asked')}>{set(parts.asked)}</Section>
      {isRows && (
        <Section title={say('fields.fields')} help={say('fields.fields_help')}>
          <RowFields pointer={`${pointer}/fields`} fields={value.fields} own={schemaOfFields(own)} />
        </Section>
      )}
      <Section title={say('fields.answer')}>
        <div className={styles.stack}>
          <NeededControl pointer={pointer} value={value.required} isSwitch={value.type === 'boolean'} />
          {parts.answer.length > 0 && set(parts.answer)}
        </div>
      </Section>
      {parts.limits.length > 0 && <Section title={say(isRows ? 'fields.count' : 'fields.limits')}>{set(parts.limits)}</Section>}
      <Section title={say('fields.rules')} help={say('fields.rules_help')}>
        <RulesControl pointer={pointer} value={value.rules} />
      </Section>
      {!isRows && !/\/fields\/\d+\/fields\//.test(pointer) && (
        <Section title={say('editor.try')} help={say('fields.try_help')}>
          <TryField pointer={pointer} name={String(value.name ?? '')} />
        </Section>
      )}
      <Conditions pointer={pointer} value={value} />
      <Section title={say('editor.props')} folded={value.props === undefined}>
        <FieldSet
          fields={widget ? propsOf(widget.props) : []}
          pointer={`${pointer}/props`}
          value={isObject(value.props) ? value.props : {}}
        />
      </Section>
      {own.properties?.on !== undefined && ((widget?.events.length ?? 0) > 0 || isObject(value.on)) && (
        <Events pointer={`${pointer}/on`} events={widget?.events ?? []} value={value.on} />
      )}
      {parts.more.length > 0 && (
        <Section title={say('editor.more')} folded={!isSet(parts.more)}>
          {set(parts.more)}
        </Section>
      )}
    </div>
  )
}

/** The fields of each row, each with the same form as a field of the form itself. */
function RowFields({ pointer, fields, own }: { pointer: string; fields: unknown; own: JsonSchema }) {
  const say = useWords()
  const { known, editable, insert } = useEditing()
  // The newest one is open; of new rows that is their first.
  const [added, setAdded] = useState(0)
  const list = Array.isArray(fields) ? fields : []
  const taken = new Set(list.map((one) => (isObject(one) ? String(one.name) : '')))
  return (
    <div className={styles.stack}>
      {list.map((one, i) => {
        const at = `${pointer}/${i}`
        const field = isObject(one) ? one : {}
        const title = spoken(field.label, known.words) || String(field.name ?? i + 1)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a name changes while it is typed
          <details key={i} className={styles.rule} data-pointer={at} open={i === added}>
            <summary>{title}</summary>
            <div className={styles.line}>
              <EntryButtons
                pointer={at}
                isLast={i === list.length - 1}
                label={say('editor.take_out', { name: title })}
                isNeeded={list.length === 1}
              />
            </div>
            <FieldForm pointer={at} value={field} own={own} />
          </details>
        )
      })}
      <div>
        <Button
          small
          icon={Plus}
          disabled={!editable}
          onClick={() => {
            setAdded(list.length)
            insert({ list: pointer, index: list.length }, { name: freshName('field', taken, '_'), type: 'string', label: { $t: '' } }, true)
          }}
        >
          {say('fields.field_add')}
        </Button>
      </div>
    </div>
  )
}
