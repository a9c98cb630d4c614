import { type ReactNode, useState } from 'react'
import { type FieldValues, FormProvider, type UseFormReturn, useController, useFormContext } from 'react-hook-form'
import { type Problem, type Rule, useNow, useText, useToast } from '#bench/documents/hooks.ts'
import { type Marked, mark } from '#bench/documents/kit.tsx'
import { admit, finished, most } from '#widgets/parts/fields/number.rules.ts'
import { Icon } from '#widgets/parts/look/Icon.tsx'

/** Forms and fields of the component library, based on react-hook-form. Not counted. */

interface FormProps<E extends FieldValues> extends Marked {
  form: UseFormReturn<E>
  submit: () => void
  isBusy: boolean
  label: string
  enabled?: boolean
  before?: ReactNode
  /** Between the last field and the button. */
  foot?: ReactNode
  after?: ReactNode
  children: ReactNode
}
export function Form<E extends FieldValues>({
  id,
  form,
  submit,
  isBusy,
  label,
  enabled = true,
  before,
  foot,
  after,
  children,
}: FormProps<E>) {
  return (
    <FormProvider {...form}>
      <form
        {...mark(id)}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        {before}
        {children}
        {foot}
        <button type="submit" disabled={!enabled} aria-busy={isBusy}>
          {label}
        </button>
        {after}
      </form>
    </FormProvider>
  )
}

interface FieldProps {
  name: string
  label: string
  hint?: string
  /** Rules in order; the first broken rule gives the message. */
  rules?: readonly Rule[]
}

/** Common part of all fields: required, with label, hint and error. */
function useField({ name, label, hint, rules = [] }: FieldProps, own: readonly Rule[] = []) {
  const say = useText()
  const form = useFormContext()
  const validate = (value: string) => {
    if (value === '') return say('form.required')
    for (const rule of [...own, ...rules]) {
      const wrong = rule(value)
      if (wrong !== true) return wrong
    }
    return true
  }
  const { field, fieldState } = useController({ name, control: form.control, rules: { validate } })
  const frame = (control: ReactNode) => (
    <div {...mark(name)}>
      <label htmlFor={name}>{label}</label>
      {control}
      {hint && <small>{hint}</small>}
      {fieldState.error && <p role="alert">{fieldState.error.message}</p>}
    </div>
  )
  return { field: { ...field, id: name, 'aria-required': true, 'aria-invalid': fieldState.invalid }, frame, form, say }
}

interface TextProps extends FieldProps {
  type?: 'text' | 'password'
  autoComplete?: string
  maxLength?: number
}
export function TextField({ type = 'text', autoComplete = 'off', maxLength, ...props }: TextProps) {
  const { field, frame } = useField(props)
  return frame(<input {...field} type={type} autoComplete={autoComplete} maxLength={maxLength} />)
}

interface SelectProps extends FieldProps {
  options: readonly { id: number; label: string; note?: string }[]
  placeholder?: string
  /** Swaps this field with another. */
  onSwap?: () => void
}
export function SelectField({ options, placeholder, onSwap, ...props }: SelectProps) {
  const { field, frame, say } = useField(props)
  return frame(
    <>
      {onSwap && (
        <button type="button" aria-label={say('widget.swap')} onClick={onSwap}>
          <Icon name="arrow-left-right" />
        </button>
      )}
      <select {...field}>
        <option value="">{placeholder ?? say('widget.pick')}</option>
        {options.map((option) => (
          <option key={option.id} value={option.id} title={option.note}>
            {option.label}
          </option>
        ))}
      </select>
    </>,
  )
}

interface AmountProps extends FieldProps {
  scale: number
  unit: string
  /** The value that the button enters. */
  max: string
  placeholder?: string
}
export function AmountField({ scale, unit, max, placeholder, ...props }: AmountProps) {
  const { field, frame, form, say } = useField(props)
  const step = scale === 0 ? '1' : `0.${'1'.padStart(scale, '0')}`
  const write = (value: string) => form.setValue(field.name, value, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
  return frame(
    <>
      <input
        {...field}
        inputMode="decimal"
        placeholder={placeholder}
        onChange={(event) => field.onChange(admit(field.value, event.target.value, scale))}
        onBlur={() => {
          const text = finished(field.value)
          if (text !== field.value) write(text)
          field.onBlur()
        }}
      />
      <span>{unit}</span>
      <button type="button" onClick={() => write(most(max, step) ?? '')}>
        {say('widget.field_most')}
      </button>
    </>,
  )
}

/** @param onSend sends a code; the server decides when it can be requested again */
export function CodeField({ onSend, ...props }: FieldProps & { onSend: () => Promise<{ resend_after: number }> }) {
  const { field, frame, say } = useField(props)
  const now = useNow()
  const [againAt, setAgainAt] = useState(0)
  const [isBusy, setBusy] = useState(false)
  const wait = Math.ceil((againAt - now) / 1_000)
  const toast = useToast()
  const send = async () => {
    setBusy(true)
    const sent = await onSend().catch((error: Problem) => toast(say(`problem.${error.name}`), 'error'))
    if (sent) setAgainAt(Date.now() + sent.resend_after * 1_000)
    setBusy(false)
  }
  return frame(
    <>
      <button type="button" disabled={wait > 0} aria-busy={isBusy} onClick={isBusy ? undefined : send}>
        {wait > 0 ? say('widget.code_wait', { n: wait }) : say('widget.code_send')}
      </button>
      <input {...field} inputMode="numeric" autoComplete="one-time-code" maxLength={6} />
    </>,
  )
}
