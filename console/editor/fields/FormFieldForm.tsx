import { useMemo } from 'react'
import { aboutWidget } from '#console/editor/document/read.ts'
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
import { typeOf } from '#console/editor/tree/rows.rules.ts'
import { FieldSet } from '#console/editor/values/Fields.tsx'
import { type FormField, propsOf } from '#console/editor/values/fields.rules.ts'
import { useWords } from '#console/io/words.ts'
import { isObject } from '#language/documents/json.ts'
import { widgetOf } from '#language/text/shorthand.ts'

/** The form of a field of a form: the question, whether it must be answered, its limits and rules, a trial, and the looks of its widget. */
export function FormFieldForm({ pointer, value }: { pointer: string; value: Record<string, unknown> }) {
  const say = useWords()
  const { known, doc } = useEditing()
  const type = typeOf(widgetOf(value))
  const widget = known.catalog.widgets.find((one) => one.type === type)
  const meta = known.schemas.form ?? {}
  const parts = useMemo(() => {
    const own = meta.properties?.fields?.items ?? {}
    const widgets = known.catalog.widgets.map((one) => one.type).filter((one) => one.endsWith('-field'))
    const groups = isObject(doc) && Array.isArray(doc.groups) ? doc.groups.flatMap((one) => (isObject(one) ? [String(one.id)] : [])) : []
    return partsOfField(value, own, meta, widgets, groups)
  }, [value, meta, known.catalog, doc])
  const all = [...parts.asked, ...parts.answer, ...parts.limits, ...parts.more]
  const rest = useOwnProblems(pointer, ['props', 'show', 'enable', 'on', 'required', 'rules', ...all.map(({ name }) => name)])
  const set = (fields: readonly FormField[]) => (
    <FieldSet fields={fields} pointer={pointer} value={Object.fromEntries(fields.map(({ name }) => [name, value[name]]))} />
  )
  const isSet = (fields: readonly FormField[]) => fields.some(({ name }) => value[name] !== undefined)
  return (
    <div className={node.form}>
      <Head type={type} about={aboutWidget[type] ?? ''} known={widget !== undefined} problems={rest} />
      <IdField pointer={`${pointer}/name`} id={String(value.name ?? '')} name="name" />
      <Section title={say('fields.asked')}>{set(parts.asked)}</Section>
      <Section title={say('fields.answer')}>
        <div className={styles.stack}>
          <NeededControl pointer={pointer} value={value.required} isSwitch={value.type === 'boolean'} />
          {parts.answer.length > 0 && set(parts.answer)}
        </div>
      </Section>
      {parts.limits.length > 0 && <Section title={say('fields.limits')}>{set(parts.limits)}</Section>}
      <Section title={say('fields.rules')} help={say('fields.rules_help')}>
        <RulesControl pointer={pointer} value={value.rules} />
      </Section>
      <Section title={say('editor.try')} help={say('fields.try_help')}>
        <TryField pointer={pointer} name={String(value.name ?? '')} />
      </Section>
      <Conditions pointer={pointer} value={value} />
      <Section title={say('editor.props')} folded={value.props === undefined}>
        <FieldSet
          fields={widget ? propsOf(widget.props) : []}
          pointer={`${pointer}/props`}
          value={isObject(value.props) ? value.props : {}}
        />
      </Section>
      {((widget?.events.length ?? 0) > 0 || isObject(value.on)) && (
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
