import { useEditing } from '#console/editor/document/useEditing.tsx'
import { useTyped } from '#console/editor/values/useTyped.ts'
import { useWords } from '#console/io/words.ts'
import { type ControlProps, TextArea } from '#console/parts/Field.tsx'
import { asUnfinished, unfinishedText } from '#language/text/unfinished.ts'

interface JsonInputProps {
  control: ControlProps
  value: unknown
  onChange(value: unknown): void
}

const show = (value: unknown) => unfinishedText(value) ?? (value === undefined ? '' : JSON.stringify(value, null, 2))

/** Input of raw JSON for members without a form. Typing changes the document at once; invalid JSON is stored as text and reported as an error. */
export function JsonInput({ control, value, onChange }: JsonInputProps) {
  const say = useWords()
  const { editable } = useEditing()
  const [typed, type, sent] = useTyped(show(value))
  const read = reading(typed)
  return (
    <>
      <TextArea
        {...control}
        data-json
        className="mono"
        spellCheck={false}
        rows={Math.min(14, Math.max(2, typed.split('\n').length))}
        value={typed}
        disabled={!editable}
        aria-invalid={read === undefined ? true : undefined}
        onChange={(event) => {
          type(event.target.value)
          const next = reading(event.target.value)
          if (next && JSON.stringify(next.value) === JSON.stringify(value)) return
          sent(next ? show(next.value) : event.target.value)
          onChange(next ? next.value : asUnfinished(event.target.value))
        }}
      />
      {read === undefined && (
        <p role="alert" className="quiet">
          {say('editor.json_wrong')}
        </p>
      )}
    </>
  )
}

function reading(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}
