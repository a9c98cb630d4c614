import { ConditionInput } from '#console/editor/conditions/ConditionInput.tsx'
import { useEditing } from '#console/editor/document/useEditing.tsx'
import type { Control } from '#console/editor/values/fields.rules.ts'
import { JsonInput } from '#console/editor/values/JsonInput.tsx'
import { LogicInput } from '#console/editor/values/LogicInput.tsx'
import { NameInput } from '#console/editor/values/NameInput.tsx'
import { useTyped } from '#console/editor/values/useTyped.ts'
import { useWords } from '#console/io/words.ts'
import { Check, type ControlProps, Select, TextArea, TextInput } from '#console/parts/Field.tsx'
import { asUnfinished, unfinishedText } from '#language/text/unfinished.ts'

interface ConstantControlProps {
  control: ControlProps
  kind: Control
  pointer: string
  value: unknown
  label: string
  /** Key before the labels of a choice; without it the values themselves are shown. */
  choices?: string | undefined
  onChange(value: unknown, together?: string): void
}

/** The control of a constant by its type. Lists and groups have controls of their own. */
export function ConstantControl({ control, kind, pointer, value, label, choices: labels, onChange }: ConstantControlProps) {
  const say = useWords()
  const { editable } = useEditing()
  if (kind.kind === 'choice') {
    const now = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
    const options = kind.options.map(String)
    const choices = [...(options.includes(now) ? [] : [now]), ...options].map((one) => ({
      value: one,
      label: (labels && one ? say(`${labels}_${one}`) : kind.labels?.[one]) ?? (one || '–'),
    }))
    return (
      <Select
        {...control}
        value={now}
        choices={choices}
        disabled={!editable}
        onChoose={(next) => onChange(kind.options[options.indexOf(next)] ?? next)}
      />
    )
  }
  if (kind.kind === 'switch')
    return (
      <Check
        label={value === true ? say('editor.yes') : say('editor.no')}
        checked={value === true}
        disabled={!editable}
        onChange={(next) => onChange(next)}
      />
    )
  if (kind.kind === 'date')
    return (
      <TextInput
        {...control}
        type="date"
        value={typeof value === 'string' ? value : ''}
        disabled={!editable}
        onChange={(event) => onChange(event.target.value, label)}
      />
    )
  if (kind.kind === 'condition')
    return (
      <ConditionInput control={control} pointer={pointer} logic={value} label={label} onChange={(next) => onChange(next, 'condition')} />
    )
  if (kind.kind === 'number') return <NumberInput control={control} kind={kind} value={value} onChange={onChange} />
  if (kind.kind === 'name')
    return <NameInput control={control} of={kind.of} name={typeof value === 'string' ? value : ''} onChange={(next) => onChange(next)} />
  if (kind.kind === 'logic') return <LogicInput control={control} pointer={pointer} logic={value} onChange={(next) => onChange(next)} />
  if (kind.kind === 'line' || kind.kind === 'decimal' || kind.kind === 'words') {
    if (typeof value === 'object' && value !== null) return <JsonInput control={control} value={value} onChange={onChange} />
    const text = value === null || value === undefined ? '' : String(value)
    const props = {
      ...control,
      value: text,
      disabled: !editable,
      onChange: (event: { target: { value: string } }) =>
        onChange(typeof value === 'number' ? numberOf(event.target.value) : event.target.value, label),
    }
    return text.length > 70 ? (
      <TextArea {...props} rows={3} />
    ) : (
      <TextInput {...props} inputMode={kind.kind === 'decimal' ? 'decimal' : undefined} />
    )
  }
  return <JsonInput control={control} value={value} onChange={onChange} />
}

function numberOf(text: string): string | number {
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text
}

function NumberInput({
  control,
  kind,
  value,
  onChange,
}: {
  control: ControlProps
  kind: Extract<Control, { kind: 'number' }>
  value: unknown
  onChange(value: unknown, together?: string): void
}) {
  const say = useWords()
  const { editable } = useEditing()
  const [typed, type, sent] = useTyped(unfinishedText(value) ?? (value === undefined || value === null ? '' : String(value)))
  const number = typed.trim() === '' ? Number.NaN : Number(typed)
  const wrong = Number.isNaN(number)
    ? say('editor.number_wrong')
    : kind.integer && !Number.isInteger(number)
      ? say('editor.number_whole')
      : kind.min !== null && number < kind.min
        ? say('editor.number_min', { min: kind.min })
        : kind.max !== null && number > kind.max
          ? say('editor.number_max', { max: kind.max })
          : ''
  return (
    <>
      <TextInput
        {...control}
        inputMode={kind.integer ? 'numeric' : 'decimal'}
        value={typed}
        disabled={!editable}
        aria-invalid={wrong ? true : undefined}
        onChange={(event) => {
          type(event.target.value)
          const next = event.target.value.trim() === '' ? Number.NaN : Number(event.target.value)
          sent(Number.isNaN(next) ? event.target.value : String(next))
          onChange(Number.isNaN(next) ? asUnfinished(event.target.value) : next, 'number')
        }}
      />
      {wrong && (
        <p role="alert" className="quiet">
          {wrong}
        </p>
      )}
    </>
  )
}
