import { useEngineText, useField, type ViewProps } from '#renderer/widget-api.ts'
import { classes } from '#widgets/parts/classes.ts'
import { FieldFrame } from '#widgets/parts/FieldFrame.tsx'
import styles from '#widgets/parts/field.module.css'
import { asText, useFieldValue } from '#widgets/parts/fieldValue.ts'
import { Icon } from '#widgets/parts/Icon.tsx'
import { PickBox } from '#widgets/parts/PickBox.tsx'
import { optionsOf, type PickOption } from '#widgets/parts/search.rules.ts'
import own from '#widgets/select-field/SelectField.module.css'

interface SelectFieldProps {
  options?: { id: string; label: string; note?: string }[]
  placeholder?: string
}

/** More than this is searched, not scrolled. */
const shortMax = 12

export function SelectField({ root, props }: ViewProps<SelectFieldProps>) {
  const field = useField()
  const say = useEngineText()
  const options = optionsOf(props.options ?? [])
  const placeholder = props.placeholder ?? say('widget.pick')
  if (options.length > shortMax) return <LongSelect root={root} options={options} placeholder={placeholder} />
  const value = asText(field.get())
  return (
    <FieldFrame root={root} field={field}>
      <span className={own.around}>
        {/* Options that come later could not be chosen by a default that was read before. */}
        <select {...field.native} key={options.length} defaultValue={value} className={classes(styles.box, own.select)}>
          {(value === '' || !field.required) && <option value="">{placeholder}</option>}
          {options.map((option) => (
            <option key={option.id} value={option.id}>
              {option.label}
            </option>
          ))}
        </select>
        <Icon name="chevron-down" size={18} className={own.arrow} />
      </span>
    </FieldFrame>
  )
}

function LongSelect({ root, options, placeholder }: Pick<ViewProps, 'root'> & { options: PickOption[]; placeholder: string }) {
  const field = useField()
  const [value, change] = useFieldValue(field, asText)
  const text = options.find((option) => option.id === value)?.label ?? ''
  return (
    <FieldFrame root={root} field={field}>
      <PickBox field={field} options={options} chosen={value} text={text} placeholder={placeholder} pick={change} />
    </FieldFrame>
  )
}
