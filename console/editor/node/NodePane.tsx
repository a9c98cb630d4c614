import { useMemo } from 'react'
import { valueAt } from '#console/editor/document/pointer.ts'
import { aboutWidget } from '#console/editor/document/read.ts'
import { useEditing } from '#console/editor/document/useEditing.tsx'
import { Conditions } from '#console/editor/node/Conditions.tsx'
import { DocumentForm } from '#console/editor/node/DocumentForm.tsx'
import { Events } from '#console/editor/node/Events.tsx'
import styles from '#console/editor/node/Node.module.css'
import { Section } from '#console/editor/node/Section.tsx'
import { ProblemLines } from '#console/editor/problems/Problems.tsx'
import { useOwnProblems } from '#console/editor/problems/useProblems.ts'
import { namesTaken } from '#console/editor/tree/moves.rules.ts'
import { rowAt, rowsOf, typeOf, widgetsOf } from '#console/editor/tree/rows.rules.ts'
import { FieldSet } from '#console/editor/values/Fields.tsx'
import { fieldsOf, labelOf } from '#console/editor/values/fields.rules.ts'
import { useTyped } from '#console/editor/values/useTyped.ts'
import { useWords } from '#console/io/words.ts'
import { Badge } from '#console/parts/Badge.tsx'
import { Field, TextInput } from '#console/parts/Field.tsx'
import { isObject } from '#language/documents/json.ts'
import { widgetOf } from '#language/text/shorthand.ts'
import type { LintProblem } from '#language/types/catalog.ts'

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
  const rest = useOwnProblems(pointer, ['props', 'show', 'enable', 'on', 'slots', 'repeat', 'states', 'fallback'])
  return (
    <div className={styles.form}>
      <Head type={type} about={aboutWidget[type] ?? ''} known={widget !== undefined} problems={rest} />
      <IdField pointer={`${pointer}/id`} id={String(value.id ?? '')} />
      <Section title={say('editor.props')}>
        <FieldSet
          fields={widget ? fieldsOf(widget.props) : []}
          pointer={`${pointer}/props`}
          value={isObject(value.props) ? value.props : {}}
        />
      </Section>
      <Conditions pointer={pointer} value={value} />
      {((widget?.events.length ?? 0) > 0 || isObject(value.on)) && (
        <Events pointer={`${pointer}/on`} events={widget?.events ?? []} value={value.on} />
      )}
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

function Head({ type, about, known, problems }: { type: string; about: string; known: boolean; problems: readonly LintProblem[] }) {
  const say = useWords()
  return (
    <header className={styles.head}>
      <h2>
        {labelOf(type)} {!known && <Badge tone="bad">{say('editor.widget_unknown')}</Badge>}
      </h2>
      {about && <p className="quiet">{about}</p>}
      <ProblemLines problems={problems} />
    </header>
  )
}

/** The id of a node. Merges, reports and tests refer to it, so it is unique in its document. */
function IdField({ pointer, id, name = 'id' }: { pointer: string; id: string; name?: string }) {
  const say = useWords()
  const { doc, set, editable } = useEditing()
  const [typed, type, sent] = useTyped(id)
  const taken = typed !== id && namesTaken(doc).has(typed)
  const wrong = !/^[A-Za-z_][A-Za-z0-9_-]{0,59}$/.test(typed)
  return (
    <Field label={say(`editor.${name}`)} error={taken ? say('editor.id_taken') : wrong ? say('editor.id_wrong') : undefined}>
      {(control) => (
        <TextInput
          {...control}
          className="mono"
          value={typed}
          disabled={!editable}
          onChange={(event) => {
            const next = event.target.value
            type(next)
            if (!/^[A-Za-z_][A-Za-z0-9_-]{0,59}$/.test(next) || (next !== id && namesTaken(doc).has(next))) return
            sent(next)
            set(pointer, next, 'id')
          }}
        />
      )}
    </Field>
  )
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

function FormFieldForm({ pointer, value }: PaneProps) {
  const say = useWords()
  const { known } = useEditing()
  const type = typeOf(widgetOf(value))
  const widget = known.catalog.widgets.find((one) => one.type === type)
  const meta = known.schemas.form ?? {}
  const own = meta.properties?.fields?.items ?? {}
  const apart = ['name', 'props', 'on', 'show', 'enable']
  const fields = fieldsOf(own, meta).filter(({ name }) => !apart.includes(name))
  const rest = useOwnProblems(pointer, ['props', 'show', 'enable', 'on', ...fields.map(({ name }) => name)])
  return (
    <div className={styles.form}>
      <Head type={type} about={aboutWidget[type] ?? ''} known={widget !== undefined} problems={rest} />
      <IdField pointer={`${pointer}/name`} id={String(value.name ?? '')} name="name" />
      <Section title={say('editor.field_asked')}>
        <FieldSet
          fields={fields}
          pointer={pointer}
          value={pick(
            value,
            fields.map(({ name }) => name),
          )}
        />
      </Section>
      <Section title={say('editor.props')}>
        <FieldSet
          fields={widget ? fieldsOf(widget.props) : []}
          pointer={`${pointer}/props`}
          value={isObject(value.props) ? value.props : {}}
        />
      </Section>
      <Conditions pointer={pointer} value={value} />
      {((widget?.events.length ?? 0) > 0 || isObject(value.on)) && (
        <Events pointer={`${pointer}/on`} events={widget?.events ?? []} value={value.on} />
      )}
    </div>
  )
}
