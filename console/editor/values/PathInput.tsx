import { useId, useState } from 'react'
import { useEditing } from '#console/editor/document/useEditing.tsx'
import { type ControlProps, TextInput } from '#console/parts/Field.tsx'

interface PathInputProps {
  control: ControlProps
  /** Where the path stands: it decides what can be read. */
  pointer: string
  path: string
  onChange(path: string): void
}

/** A path, completed from what can be read at its place. */
export function PathInput({ control, pointer, path, onChange }: PathInputProps) {
  const { pathsAt, editable } = useEditing()
  const [open, setOpen] = useState(false)
  const list = useId()
  const hints = open ? pathsAt(pointer, path) : []
  return (
    <>
      <TextInput
        {...control}
        className="mono"
        value={path}
        list={list}
        disabled={!editable}
        maxLength={200}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onChange={(event) => onChange(event.target.value.trim())}
      />
      <datalist id={list}>
        {hints.map((hint) => (
          <option key={hint.path} value={hint.path}>
            {hint.type}
          </option>
        ))}
      </datalist>
    </>
  )
}
