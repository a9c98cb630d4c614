import { isObject } from '#console/editor/document/pointer.ts'
import { useEditing } from '#console/editor/document/useEditing.tsx'
import { MapEditor } from '#console/editor/node/MapEditor.tsx'
import { Section } from '#console/editor/node/Section.tsx'
import { LogicInput } from '#console/editor/values/LogicInput.tsx'
import { useWords } from '#console/io/words.ts'
import { Field } from '#console/parts/Field.tsx'

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
