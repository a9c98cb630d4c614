import { type ChangeEvent, type CompositionEvent, type KeyboardEvent, type ReactNode, useState } from 'react'
import { lengthOf } from '#contract/characters.ts'
import { type FieldGiven, type RootProps, useEngineText, useField, useLanguage } from '#renderer/widget-api.ts'
import { FieldFrame } from '#widgets/parts/fields/FieldFrame.tsx'
import styles from '#widgets/parts/fields/field.module.css'
import { asText, fill } from '#widgets/parts/fields/fieldValue.ts'
import own from '#widgets/parts/fields/NumberBox.module.css'
import { admit, finished, inserted, insertion, most, numberSigns, stepped } from '#widgets/parts/fields/number.rules.ts'
import { useInsertion } from '#widgets/parts/fields/useInsertion.ts'
import { classes } from '#widgets/parts/look/classes.ts'
import { Icon } from '#widgets/parts/look/Icon.tsx'

interface NumberBoxProps extends Pick<FieldGiven, 'min' | 'max' | 'step'> {
  placeholder?: string
  prefix?: string
  unit?: string
  stepper?: boolean
  max_button?: boolean
  most?: string
}

interface NumberBoxView {
  root: RootProps
  props: NumberBoxProps
  /** Digits behind the dot at most; 0 takes no dot. */
  decimals: number
  /** The entry has changed by a key, a button or a paste. */
  typed?: () => void
  /** Stands at the end of the label's line. */
  beside?: ReactNode
  /** Another control of the same value, under the box. */
  below?: ReactNode
}

/** A number input. The value stays text from input to form and is never a float. */
export function NumberBox({ root, props, decimals, typed, beside, below }: NumberBoxView) {
  const field = useField()
  const say = useEngineText()
  const { tag } = useLanguage()
  const { placeholder, prefix, unit, stepper = false, max_button = false } = props
  const [step, min, max, full = max] = [props.step, props.min, props.max, props.most].map((one) =>
    one === undefined ? undefined : String(one),
  )
  const { onChange, onBlur, ...native } = field.native
  const [refused, setRefused] = useState(false)
  const source = useInsertion(field.native.ref)

  /** Puts into the control what may stand in it, with the caret where it was. */
  const settle = (input: HTMLInputElement, next: string) => {
    const entered = input.value
    if (next === entered) return
    const caret = (input.selectionStart ?? entered.length) - (entered.length - next.length)
    input.value = next
    input.setSelectionRange(Math.max(0, caret), Math.max(0, caret))
  }
  /** Content after more than a character came in at once; what was there before where it is not clearly a number. */
  const taken = (change: ReturnType<typeof insertion>) => {
    const next = inserted(change, decimals, numberSigns(tag))
    setRefused(next === undefined)
    return next ?? admit(change.text, change.text, decimals)
  }
  const change = (event: ChangeEvent<HTMLInputElement>) => {
    const input = event.target
    const before = asText(field.get())
    const entered = input.value
    if ((event.nativeEvent as InputEvent).isComposing) {
      source.compose(entered)
      // Text that an input method is still composing is left to it.
      if (admit(before, entered, decimals) !== entered) return
    } else {
      const piece = insertion(before, entered, source.selected())
      if (lengthOf(piece.piece) > 1) settle(input, taken(piece))
      else {
        settle(input, admit(before, entered, decimals))
        setRefused(false)
      }
    }
    onChange(event)
    typed?.()
  }
  const composed = ({ currentTarget: input }: CompositionEvent<HTMLInputElement>) => {
    const before = asText(field.get())
    const piece = source.composed(input.value)
    const next = piece ? taken(piece) : admit(before, input.value, decimals)
    settle(input, next)
    if (!piece) setRefused(false)
    if (next === before) return
    field.set(next)
    typed?.()
  }
  const write = (text: string | undefined) => {
    if (text === undefined) return
    setRefused(false)
    const control = fill(field, text)
    typed?.()
    return control
  }
  const move = (direction: 1 | -1) => {
    if (step !== undefined) write(stepped(asText(field.get()), direction, { step, min, max }))
  }
  const key = (event: KeyboardEvent) => {
    const direction = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : undefined
    if (!direction || step === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    move(direction)
  }
  const input = (className: string) => (
    <input
      {...native}
      ref={source.ref}
      type="text"
      className={classes('num', className)}
      inputMode={decimals > 0 ? 'decimal' : 'numeric'}
      autoComplete="off"
      placeholder={placeholder}
      onChange={change}
      onCompositionEnd={composed}
      onKeyDown={key}
      onBlur={(event) => {
        const text = finished(event.target.value)
        if (text !== event.target.value) write(text)
        setRefused(false)
        onBlur(event)
      }}
    />
  )
  const steps = stepper && step !== undefined
  const takesMost = max_button && full !== undefined && field.enabled
  const bare = !prefix && !unit && !steps && !takesMost
  return (
    <FieldFrame root={root} field={field} beside={beside}>
      {bare ? (
        input(styles.box!)
      ) : (
        <div className={classes(styles.box, steps && own.middle)} data-prefix={prefix ? '' : undefined}>
          {steps && (
            <Step icon="minus" label={say('widget.field_less', { label: field.label })} enabled={field.enabled} press={() => move(-1)} />
          )}
          {prefix && <span className={styles.affix}>{prefix}</span>}
          {input(styles.inner!)}
          {unit && <span className={styles.affix}>{unit}</span>}
          {takesMost && (
            <button
              type="button"
              className={classes('pressable', styles.tool, styles.word)}
              aria-label={say('widget.field_most_of', { label: field.label })}
              onClick={() => write(most(full, step, min))?.focus()}
            >
              {say('widget.field_most')}
            </button>
          )}
          {steps && (
            <Step icon="plus" label={say('widget.field_more', { label: field.label })} enabled={field.enabled} press={() => move(1)} />
          )}
        </div>
      )}
      {below}
      {refused && (
        <p className={styles.hint} role="status">
          {say('widget.field_paste_refused')}
        </p>
      )}
    </FieldFrame>
  )
}

function Step({ icon, label, enabled, press }: { icon: string; label: string; enabled: boolean; press: () => void }) {
  return (
    <button type="button" className={classes('pressable', styles.tool, own.step)} aria-label={label} disabled={!enabled} onClick={press}>
      <Icon name={icon} size={18} />
    </button>
  )
}
