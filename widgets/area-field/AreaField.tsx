import { useState } from 'react'
import { type FieldGiven, useEngineText, useField, type ViewProps } from '#renderer/widget-api.ts'
import type { AreaFieldProps } from '#widgets/area-field/area-field.props.ts'
import { FieldFrame } from '#widgets/parts/fields/FieldFrame.tsx'
import { asText, useFieldValue } from '#widgets/parts/fields/fieldValue.ts'
import { PickBox } from '#widgets/parts/fields/PickBox.tsx'
import { codeOf, optionsOf } from '#widgets/parts/fields/search.rules.ts'

/** The value is the calling code without plus sign: "86". */
export function AreaField({ root, props }: ViewProps<AreaFieldProps & FieldGiven>) {
  const field = useField()
  const say = useEngineText()
  const [value, change] = useFieldValue(field, asText)
  const [picked, setPicked] = useState<string>()
  const options = optionsOf(props.options ?? [])
  const chosen = options.find(({ id }) => (picked !== undefined && codeOf(picked) === value ? id === picked : codeOf(id) === value))
  const text = chosen?.label ?? (value && `+${value}`)
  return (
    <FieldFrame root={root} field={field}>
      <PickBox
        field={field}
        options={options}
        chosen={chosen?.id}
        text={text}
        placeholder={props.placeholder ?? say('widget.pick')}
        pick={(id) => {
          setPicked(id)
          change(codeOf(id))
        }}
      />
    </FieldFrame>
  )
}
