import type { ReactNode } from 'react'
import { type FieldGiven, type FieldHandle, type RootProps, useEngineText, useField } from '#renderer/widget-api.ts'
import { FieldFrame } from '#widgets/parts/fields/FieldFrame.tsx'
import styles from '#widgets/parts/fields/field.module.css'
import { asText, useFieldValue } from '#widgets/parts/fields/fieldValue.ts'
import { PickBox } from '#widgets/parts/fields/PickBox.tsx'
import own from '#widgets/parts/fields/SelectBox.module.css'
import { optionsOf, type PickOption } from '#widgets/parts/fields/search.rules.ts'
import { classes } from '#widgets/parts/look/classes.ts'
import { Icon } from '#widgets/parts/look/Icon.tsx'

interface SelectBoxProps extends Pick<FieldGiven, 'options'> {
  placeholder?: string
  /** A list with notes that can be searched, even when the options are few. */
  sheet?: boolean
}

/** Longer lists are searched, not scrolled. */
const shortMax = 12

/** A select: the native list when it is short, a searchable list otherwise. @param aside placed before the control */
export function SelectBox({ root, props, aside }: { root: RootProps; props: SelectBoxProps; aside?: ReactNode }) {
  const field = useField()
  const say = useEngineText()
  const options = optionsOf(props.options ?? [])
  const placeholder = props.placeholder ?? say('widget.pick')
  return (
    <FieldFrame root={root} field={field}>
      {aside}
      {props.sheet || options.length > shortMax ? (
        <Long field={field} options={options} placeholder={placeholder} />
      ) : (
        <Short field={field} options={options} placeholder={placeholder} />
      )}
    </FieldFrame>
  )
}

interface ListProps {
  field: FieldHandle
  options: PickOption[]
  placeholder: string
}

function Short({ field, options, placeholder }: ListProps) {
  const value = asText(field.get())
  return (
    <span className={own.around}>
      {/* A default value read before the options arrive could not select an option. */}
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
  )
}

function Long({ field, options, placeholder }: ListProps) {
  const [value, change] = useFieldValue(field, asText)
  const text = options.find((option) => option.id === value)?.label ?? ''
  return <PickBox field={field} options={options} chosen={value} text={text} placeholder={placeholder} notes pick={change} />
}
