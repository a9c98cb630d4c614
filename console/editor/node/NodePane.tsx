import { useMemo } from 'react'
import { valueAt } from '#console/editor/document/pointer.ts'
import { useEditing } from '#console/editor/document/useEditing.tsx'
import { FormFieldForm } from '#console/editor/fields/FormFieldForm.tsx'
import { Conditions } from '#console/editor/node/Conditions.tsx'
import { DocumentForm } from '#console/editor/node/DocumentForm.tsx'
import { Events } from '#console/editor/node/Events.tsx'
import { Head, IdField } from '#console/editor/node/Head.tsx'
import styles from '#console/editor/node/Node.module.css'
import { Section } from '#console/editor/node/Section.tsx'
import { ProblemLines } from '#console/editor/problems/Problems.tsx'
import { useOwnProblems } from '#console/editor/problems/useProblems.ts'
import { rowAt, rowsOf, typeOf, widgetsOf } from '#console/editor/tree/rows.rules.ts'
import { FieldSet } from '#console/editor/values/Fields.tsx'
import { type Control, type FormField, fieldsOf, labelOf, propsOf, resolved } from '#console/editor/values/fields.rules.ts'
import { type Say, useWords } from '#console/io/words.ts'
import { isObject } from '#language/documents/json.ts'
import type { JsonSchema } from '#language/types/catalog.ts'

/** The form of the node that is selected in the tree. */
export function NodePane() {
  const say = useWords()
  const { doc, selected, known } = useEditing()
  const widgets = useMemo(() => widgetsOf(known.catalog.widgets), [known.catalog])
  const row = useMemo(() => rowAt(rowsOf(doc, widgets), selected), [doc, widgets, selected])
  if (!row) return <p className={styles.empty}>{say('editor.nothing_chosen')}</p>
  if (row.kind === 'document') return <DocumentForm />
  if (row.kind === 'slot') return <p className={styles.empty}>{say('editor.slot_chosen', { name: labelOf(row.name) })}</p>
  const value = valueAt(doc, row.pointer)
  if (!isObject(value)) return null
  if (row.kind === 'use') return <UseForm key={row.pointer} pointer={row.pointer} value={value} />
  if (row.kind === 'field') return <FormFieldForm key={row.pointer} pointer={row.pointer} value={value} />
  return <NodeForm key={row.pointer} pointer={row.pointer} value={value} />
}

interface PaneProps {
  pointer: string
  value: Record<string, unknown>
}

function NodeForm({ pointer, value }: PaneProps) {
  const say = useWords()
  const { known } = useEditing()
  const type = typeOf(value.widget)
  const widget = known.catalog.widgets.find((one) => one.type === type)
  const rest = useOwnProblems(pointer, ['bind', 'props', 'show', 'enable', 'go', 'params', 'on', 'slots', 'repeat', 'states', 'fallback'])
  const events = widget?.events ?? []
  const short = shortFields(value, events, known.params[`screen/${known.screenOf[String(value.go)] ?? ''}`], say)
  return (
    <div className={styles.form}>
      <Head type={type} known={widget !== undefined} problems={rest} />
      <IdField pointer={`${pointer}/id`} id={String(value.id ?? '')} />
      <Section title={say('editor.props')}>
        <FieldSet
          fields={widget ? propsOf(widget.props) : []}
          pointer={`${pointer}/props`}
          value={isObject(value.props) ? value.props : {}}
        />
      </Section>
      <Conditions pointer={pointer} value={value} />
      {short.length > 0 && (
        <Section title={say('editor.short')} folded={value.go === undefined && value.bind === undefined}>
          <FieldSet fields={short} pointer={pointer} value={pick(value, ['bind', 'go', 'params'])} />
        </Section>
      )}
      {(events.length > 0 || isObject(value.on)) && <Events pointer={`${pointer}/on`} events={events} value={value.on} />}
      <Section title={say('editor.more')} folded={value.repeat === undefined && value.critical === undefined}>
        <FieldSet
          fields={[
            {
              name: 'critical',
              required: false,
              help: say('editor.critical_help'),
              schema: { type: 'boolean' },
              control: { kind: 'switch' },
              computed: false,
            },
            {
              name: 'repeat',
              required: false,
              help: say('editor.repeat_help'),
              schema: repeatSchema,
              control: { kind: 'record', fields: fieldsOf(repeatSchema) },
              computed: false,
            },
          ]}
          pointer={pointer}
          value={pick(value, ['critical', 'repeat'])}
        />
      </Section>
    </div>
  )
}

/** The members of a node that are short for a value with its change, and for a press that only goes. */
function shortFields(
  { bind, go, on }: Record<string, unknown>,
  events: readonly string[],
  params: JsonSchema | undefined,
  say: Say,
): FormField[] {
  const field = (name: string, control: Control, schema: JsonSchema = { type: 'string' }): FormField => ({
    name,
    required: false,
    help: say(`editor.${name === 'params' ? 'go_params' : name}_help`),
    schema,
    control,
    computed: false,
  })
  const pressed = isObject(on) && on.press !== undefined
  return [
    ...(bind !== undefined || events.includes('change')
      ? [isObject(bind) ? field('bind', { kind: 'map', item: { type: 'string' } }, { type: 'object' }) : field('bind', { kind: 'line' })]
      : []),
    ...(go !== undefined || (events.includes('press') && !pressed) ? [field('go', { kind: 'name', of: 'route' })] : []),
    ...(go !== undefined && params ? [field('params', { kind: 'record', fields: fieldsOf(resolved(params)) }, params)] : []),
  ]
}

const repeatSchema = {
  type: 'object',
  properties: {
    each: { description: 'an expression whose value is a list', expression: true },
    key: { type: 'string', description: 'member that tells the rows apart' },
    as: { type: 'string', description: 'name of the row: a repeat inside of it reads `row.<as>`' },
  },
  required: ['each', 'key'],
}

function pick(value: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)))
}

function UseForm({ pointer, value }: PaneProps) {
  const say = useWords()
  const { known, problems } = useEditing()
  const params = known.params[`fragment/${String(value.use)}`] ?? {}
  return (
    <div className={styles.form}>
      <header className={styles.head}>
        <h2>{say('editor.fragment_of', { name: String(value.use) })}</h2>
        <p className="quiet">{say('editor.fragment_about')}</p>
        <ProblemLines problems={problems.filter((problem) => problem.pointer === pointer)} />
      </header>
      <FieldSet
        fields={[
          { name: 'use', required: true, help: '', schema: { type: 'string' }, control: { kind: 'name', of: 'fragment' }, computed: false },
          {
            name: 'as',
            required: false,
            help: say('editor.as_help'),
            schema: { type: 'string' },
            control: { kind: 'line' },
            computed: false,
          },
        ]}
        pointer={pointer}
        value={pick(value, ['use', 'as'])}
      />
      <Section title={say('editor.given')}>
        <FieldSet fields={fieldsOf(params)} pointer={`${pointer}/with`} value={isObject(value.with) ? value.with : {}} />
      </Section>
    </div>
  )
}
