import { type InputHTMLAttributes, type ReactNode, type Ref, type SelectHTMLAttributes, type TextareaHTMLAttributes, useId } from 'react'
import styles from '#console/parts/Field.module.css'
import { classes } from '#widgets/parts/look/classes.ts'

/** Attributes of the control, which connect it with label, help and error. */
export interface ControlProps {
  id: string
  'aria-describedby'?: string
  'aria-invalid'?: true
}
interface FieldProps {
  label: ReactNode
  help?: ReactNode
  error?: ReactNode
  /** Puts the label beside the control. */
  inline?: boolean
  children: (control: ControlProps) => ReactNode
}

export function Field({ label, help, error, inline = false, children }: FieldProps) {
  const id = useId()
  const note = error || help
  return (
    <div className={classes(styles.field, inline && styles.inline)}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {children({ id, ...(note ? { 'aria-describedby': `${id}-told` } : {}), ...(error ? { 'aria-invalid': true as const } : {}) })}
      {note && (
        <p id={`${id}-told`} className={error ? styles.error : styles.help} role={error ? 'alert' : undefined}>
          {note}
        </p>
      )}
    </div>
  )
}

export function TextInput({ className, ...rest }: InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> }) {
  return <input type="text" autoComplete="off" spellCheck={false} {...rest} className={classes(styles.control, className)} />
}
export function TextArea({ className, ...rest }: TextareaHTMLAttributes<HTMLTextAreaElement> & { ref?: Ref<HTMLTextAreaElement> }) {
  return <textarea {...rest} className={classes(styles.control, styles.area, className)} />
}

interface Choice<T extends string = string> {
  value: T
  label: string
}
interface SelectProps<T extends string> extends Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange' | 'value'> {
  value: T
  choices: readonly Choice<T>[]
  onChoose: (value: T) => void
}
/** The native select element, which works with every keyboard, touch screen and screen reader. */
export function Select<T extends string>({ value, choices, onChoose, className, ...rest }: SelectProps<T>) {
  return (
    <select
      {...rest}
      className={classes(styles.control, styles.select, className)}
      value={value}
      onChange={(event) => onChoose(event.target.value as T)}
    >
      {choices.map((one) => (
        <option key={one.value} value={one.value}>
          {one.label}
        </option>
      ))}
    </select>
  )
}

interface CheckProps extends Partial<ControlProps> {
  label: ReactNode
  checked: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
}
export function Check({ label, checked, disabled, onChange, ...control }: CheckProps) {
  return (
    <label className={styles.check}>
      <input {...control} type="checkbox" checked={checked} disabled={disabled} onChange={(event) => onChange(event.target.checked)} />
      <span>{label}</span>
    </label>
  )
}
