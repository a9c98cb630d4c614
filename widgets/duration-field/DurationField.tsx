import { useId } from 'react'
import { type FieldGiven, useEngineText, useField, useFormat, type ViewProps } from '#renderer/widget-api.ts'
import styles from '#widgets/duration-field/DurationField.module.css'
import type { DurationFieldProps } from '#widgets/duration-field/duration-field.props.ts'
import { FieldFrame } from '#widgets/parts/fields/FieldFrame.tsx'
import { asText, useFieldValue } from '#widgets/parts/fields/fieldValue.ts'
import { RadioOption } from '#widgets/parts/fields/RadioOption.tsx'
import { durationWords } from '#widgets/parts/values/durationWords.ts'

/** One of a few durations, each with what it pays. */
export function DurationField({ root, props: { options = [], durations = [] } }: ViewProps<DurationFieldProps & FieldGiven>) {
  const field = useField()
  const [value, change] = useFieldValue(field, asText)
  const say = useEngineText()
  const { percent } = useFormat()
  const name = useId()
  const ids = options.map(({ id }) => String(id))
  const first = ids.includes(value) ? value : ids[0]
  return (
    <FieldFrame root={root} field={field} group="radiogroup">
      <div className={styles.durations}>
        {ids.map((id) => {
          const seconds = Number(id)
          const pays = durations.find((one) => one.seconds === seconds)
          return (
            <RadioOption
              key={id}
              on={id === value}
              enabled={field.enabled}
              className={styles.duration}
              choose={change}
              focusRef={id === first ? field.focusRef : undefined}
              name={name}
              id={id}
            >
              <span className={styles.length}>{durationWords(seconds, say)}</span>
              {pays && <span className={styles.pays}>+{percent(pays.payout_rate)}</span>}
            </RadioOption>
          )
        })}
      </div>
    </FieldFrame>
  )
}
