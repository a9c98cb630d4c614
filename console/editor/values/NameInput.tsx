import { useId } from 'react'
import { spoken } from '#console/editor/document/known.ts'
import { isObject } from '#console/editor/document/pointer.ts'
import { useEditing } from '#console/editor/document/useEditing.tsx'
import { namesOf } from '#console/editor/json/completion.rules.ts'
import type { NameKind } from '#console/editor/values/fields.rules.ts'
import { IconPicker } from '#console/editor/values/IconPicker.tsx'
import { type ControlProps, Select, TextInput } from '#console/parts/Field.tsx'

interface NameInputProps {
  control: ControlProps
  of: NameKind
  name: string
  onChange(name: string): void
}
const fewMax = 40

/** A name that must exist: an icon by its picture, everything else from a list that can be searched by typing. */
export function NameInput({ control, of, name, onChange }: NameInputProps) {
  const { known, doc, editable } = useEditing()
  const list = useId()
  if (of === 'icon') return <IconPicker control={control} name={name} onChange={onChange} />
  const names = isObject(doc) ? namesOf(doc, of, known) : []
  if (names.length <= fewMax && of !== 'route') {
    const choices = [...(names.includes(name) ? [] : [name]), ...names].map((value) => ({ value, label: value || '–' }))
    return <Select {...control} value={name} choices={choices} onChoose={onChange} disabled={!editable} />
  }
  return (
    <>
      <TextInput
        {...control}
        className="mono"
        value={name}
        list={list}
        disabled={!editable}
        onChange={(event) => onChange(event.target.value.trim())}
      />
      <datalist id={list}>
        {names.map((one) => (
          <option key={one} value={one}>
            {of === 'route'
              ? known.screenOf[one]
              : of === 'call' || of === 'read'
                ? spoken(known.catalog.calls.find((call) => call.name === one)?.summary, {})
                : ''}
          </option>
        ))}
      </datalist>
    </>
  )
}
