import { isObject } from '#console/editor/document/pointer.ts'
import { useEditing } from '#console/editor/document/useEditing.tsx'
import styles from '#console/editor/kinds/QuickEntries.module.css'
import { FieldSet } from '#console/editor/values/Fields.tsx'
import { type FormField, fieldsOf } from '#console/editor/values/fields.rules.ts'

/** What a shortcut shows, where it leads and when it is there. */
export function QuickEntryForm({ pointer, entry }: { pointer: string; entry: Record<string, unknown> }) {
  const { known } = useEditing()
  const schema = known.schemas['quick-entries']
  const item = schema?.properties?.entries?.items ?? {}
  const params = known.params[`screen/${known.screenOf[String(entry.to)] ?? ''}`] ?? {}
  const order = ['label', 'icon', 'to', 'params', 'show', 'badge', 'id']
  const fields = fieldsOf(item, item)
    .toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name))
    .flatMap((field): FormField[] => {
      if (field.name === 'label') return [{ ...field, computed: true }]
      if (field.name !== 'params') return [{ ...field, computed: field.name === 'badge' }]
      const inner = fieldsOf(params)
      if (inner.length === 0 && !isObject(entry.params)) return []
      return [{ ...field, schema: params, computed: false, control: { kind: 'record', fields: inner } }]
    })
  return (
    <div className={styles.form}>
      <FieldSet fields={fields} pointer={pointer} value={entry} />
    </div>
  )
}
