import { Plus, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useEditing } from '#console/editor/document/useEditing.tsx'
import styles from '#console/editor/node/Node.module.css'
import { Section } from '#console/editor/node/Section.tsx'
import { ProblemLines } from '#console/editor/problems/Problems.tsx'
import { freshName } from '#console/editor/tree/moves.rules.ts'
import { LogicInput } from '#console/editor/values/LogicInput.tsx'
import { useTyped } from '#console/editor/values/useTyped.ts'
import { useWords } from '#console/io/words.ts'
import { Button, IconButton } from '#console/parts/Button.tsx'
import { Field, TextInput } from '#console/parts/Field.tsx'
import { isObject } from '#language/documents/json.ts'
import { below } from '#language/text/position.ts'

interface MapEditorProps {
  pointer: string
  value: unknown
  /** Label of the button that adds an entry. */
  add: string
  /** Name of a new entry; a number is appended when the name is taken. */
  fresh: string
  start: unknown
  pattern?: RegExp
  children: (pointer: string, value: unknown, name: string) => ReactNode
}

/** Edits a map of named entries: sources, actions, parameters. */
export function MapEditor({ pointer, value, add, fresh, start, pattern = /^[A-Za-z_][\w-]{0,59}$/, children }: MapEditorProps) {
  const say = useWords()
  const { set, editable, problems } = useEditing()
  const entries = Object.entries(isObject(value) ? value : {})
  const taken = new Set(entries.map(([name]) => name))
  return (
    <>
      {entries.map(([name, one]) => {
        const at = below(pointer, name)
        return (
          <div key={name} className={styles.entry}>
            <div className={styles.entryHead}>
              <NameInput pointer={at} name={name} taken={taken} pattern={pattern} />
              <IconButton
                small
                label={say('editor.take_out', { name })}
                icon={Trash2}
                disabled={!editable}
                onClick={() => set(at, undefined)}
              />
            </div>
            {children(at, one, name)}
            <ProblemLines problems={problems.filter((problem) => problem.pointer === at)} />
          </div>
        )
      })}
      <div>
        <Button small icon={Plus} disabled={!editable} onClick={() => set(below(pointer, freshName(fresh, taken, '_')), start)}>
          {add}
        </Button>
      </div>
    </>
  )
}

function NameInput({ pointer, name, taken, pattern }: { pointer: string; name: string; taken: ReadonlySet<string>; pattern: RegExp }) {
  const say = useWords()
  const { rename, editable } = useEditing()
  const [typed, type] = useTyped(name)
  const wrong = typed !== name && (!pattern.test(typed) || taken.has(typed))
  const put = () => {
    if (typed !== name && !wrong) rename(pointer, typed)
    else type(name)
  }
  return (
    <TextInput
      className="mono"
      aria-label={say('editor.name')}
      aria-invalid={wrong || undefined}
      title={wrong ? say('editor.name_wrong') : undefined}
      value={typed}
      disabled={!editable}
      onChange={(event) => type(event.target.value)}
      onBlur={put}
      onKeyDown={(event) => event.key === 'Enter' && put()}
    />
  )
}

/** The named values of the document, each with its expression. */
export function NamedValues() {
  const say = useWords()
  const { doc, set } = useEditing()
  const values = isObject(doc) ? doc.values : undefined
  return (
    <Section title={say('editor.named_values')} help={say('editor.named_values_help')} folded={values === undefined}>
      <MapEditor pointer="/values" value={values} add={say('editor.named_value_add')} fresh="value" start="">
        {(pointer, value) => (
          <Field label={say('editor.form_expression')}>
            {(control) => <LogicInput control={control} pointer={pointer} logic={value} onChange={(text) => set(pointer, text, 'text')} />}
          </Field>
        )}
      </MapEditor>
    </Section>
  )
}
