import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useEditing } from '#console/editor/document/useEditing.tsx'
import { newText } from '#console/editor/document/words-edit.rules.ts'
import styles from '#console/editor/kinds/Kinds.module.css'
import { MapEditor } from '#console/editor/node/MapEditor.tsx'
import { Section } from '#console/editor/node/Section.tsx'
import { ProblemLines } from '#console/editor/problems/Problems.tsx'
import { useOwnProblems } from '#console/editor/problems/useProblems.ts'
import { ConstantControl } from '#console/editor/values/ConstantControl.tsx'
import { FieldSet } from '#console/editor/values/Fields.tsx'
import { type Control, type FormField, fieldsOf, labelOf, propsOf } from '#console/editor/values/fields.rules.ts'
import { useWords } from '#console/io/words.ts'
import { Button, IconButton } from '#console/parts/Button.tsx'
import { TextInput } from '#console/parts/Field.tsx'
import { SearchInput } from '#console/parts/SearchInput.tsx'
import { searchForm } from '#contract/text.ts'
import { isObject } from '#language/documents/json.ts'
import { below } from '#language/text/position.ts'
import type { JsonSchema } from '#language/types/catalog.ts'

const number: Control = { kind: 'number', integer: false, min: null, max: null }
const kindOf = (value: unknown): Control =>
  typeof value === 'boolean' ? { kind: 'switch' } : typeof value === 'number' ? number : { kind: 'line' }

/** The app document: its constants as a table, then languages, stored device values and the tab bar. */
export function AppForm() {
  const say = useWords()
  const { doc, known } = useEditing()
  const app = isObject(doc) ? doc : {}
  const schema = known.schemas.app ?? {}
  const apart = ['$schema', 'kind', 'id', 'format', 'constants', 'tabBar', 'device', 'pushed', 'segments']
  const fields = fieldsOf(schema, schema)
    .filter(({ name }) => !apart.includes(name))
    .map((field) => ({ ...field, computed: false }))
  const problems = useOwnProblems(
    '',
    fields.map(({ name }) => name),
  )
  const tabBar = isObject(app.tabBar) ? app.tabBar : {}
  const widget = known.catalog.widgets.find(({ type }) => type === tabBar.widget)
  return (
    <div className={styles.frame}>
      <ProblemLines problems={problems.slice(0, 10)} />
      <Constants constants={isObject(app.constants) ? app.constants : {}} />
      <Section title={say('conditions.segments')} help={say('conditions.segments_help')}>
        <MapEditor
          pointer="/segments"
          value={app.segments}
          add={say('conditions.segment_add')}
          fresh="segment"
          start={{ label: newText(say('conditions.segment_new'), 'segments'), test: 'session.logged_in' }}
        >
          {(pointer, value) => <FieldSet fields={segmentFields(schema)} pointer={pointer} value={isObject(value) ? value : {}} />}
        </MapEditor>
      </Section>
      <Section title={say('editor.app_rest')}>
        <FieldSet fields={fields} pointer="" value={Object.fromEntries(fields.map(({ name }) => [name, app[name]]))} />
      </Section>
      {widget && (
        <Section title={say('editor.app_tabs')} folded>
          <FieldSet fields={propsOf(widget.props)} pointer="/tabBar/props" value={isObject(tabBar.props) ? tabBar.props : {}} />
        </Section>
      )}
    </div>
  )
}

/** The members of a segment: its name for operators, and its condition. */
function segmentFields(schema: JsonSchema): FormField[] {
  const segment = schema.properties?.segments?.additionalProperties
  return typeof segment === 'object'
    ? fieldsOf(segment, schema).map((field) => ({ ...field, words: 'conditions', choices: undefined, computed: false }))
    : []
}

function Constants({ constants }: { constants: Record<string, unknown> }) {
  const say = useWords()
  const { editable, set, problems } = useEditing()
  const [fresh, setFresh] = useState('')
  const [wanted, setWanted] = useState('')
  const wrong = fresh !== '' && (!/^[A-Za-z_][\w-]{0,59}$/.test(fresh) || Object.hasOwn(constants, fresh))
  const rows = Object.entries(constants).filter(([name]) => searchForm(name).includes(searchForm(wanted).replaceAll(' ', '')))
  return (
    <section className={styles.constants}>
      <div className={styles.tools}>
        <h2 className={styles.heading}>{say('editor.constants')}</h2>
        <SearchInput
          aria-label={say('editor.constants_search')}
          placeholder={say('editor.constants_search')}
          value={wanted}
          onSearch={setWanted}
        />
      </div>
      <div className={styles.tableFrame}>
        <table className={styles.table} aria-label={say('editor.constants')}>
          <tbody>
            {rows.map(([name, value]) => {
              const at = below('/constants', name)
              return (
                <tr key={name}>
                  <th scope="row">
                    <label htmlFor={`constant-${name}`}>{labelOf(name)}</label>
                    <br />
                    <span className="mono">{name}</span>
                  </th>
                  <td>
                    <ConstantControl
                      control={{ id: `constant-${name}` }}
                      kind={kindOf(value)}
                      pointer={at}
                      value={value}
                      label={name}
                      onChange={(next, together) => set(at, next, together)}
                    />
                    <ProblemLines problems={problems.filter(({ pointer }) => pointer === at)} />
                  </td>
                  <td>
                    <IconButton
                      small
                      label={say('editor.take_out', { name })}
                      icon={Trash2}
                      disabled={!editable}
                      onClick={() => set(at, undefined)}
                    />
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
      <div className={styles.tools}>
        <TextInput
          className="mono"
          aria-label={say('editor.constant_new')}
          placeholder={say('editor.constant_new')}
          aria-invalid={wrong || undefined}
          value={fresh}
          disabled={!editable}
          onChange={(event) => setFresh(event.target.value.trim())}
        />
        {(
          [
            ['number', 0],
            ['text', ''],
            ['switch', false],
          ] as const
        ).map(([kind, start]) => (
          <Button
            key={kind}
            small
            icon={Plus}
            disabled={!editable || fresh === '' || wrong}
            onClick={() => {
              set(below('/constants', fresh), start)
              setFresh('')
            }}
          >
            {say(`editor.constant_${kind}`)}
          </Button>
        ))}
      </div>
    </section>
  )
}
