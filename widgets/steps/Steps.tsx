import { useEngineText, type ViewProps } from '#renderer/widget-api.ts'
import { Icon } from '#widgets/parts/look/Icon.tsx'
import styles from '#widgets/steps/Steps.module.css'
import type { StepsProps } from '#widgets/steps/steps.props.ts'

/** Progress in a sequence of screens. Display only: the document handles navigation. */
export function Steps({ root, props }: ViewProps<StepsProps>) {
  const { label, steps, value } = props
  const say = useEngineText()
  const at = Math.max(
    0,
    steps.findIndex(({ id }) => id === value),
  )
  return (
    <div {...root} className={styles.steps}>
      <p className={styles.words}>
        <span className={styles.count}>{say('widget.steps_at', { n: at + 1, total: steps.length })}</span>
        <span className={styles.name}>{steps[at]?.label}</span>
      </p>
      <ol className={styles.marks} aria-label={label}>
        {steps.map((step, i) => (
          <li
            key={step.id}
            className={styles.mark}
            data-state={i < at ? 'done' : i === at ? 'now' : undefined}
            aria-current={i === at ? 'step' : undefined}
          >
            <span className={styles.dot} aria-hidden="true">
              {i < at ? <Icon name="check" size={14} /> : i + 1}
            </span>
            <span className="visually-hidden">
              {step.label}
              {i < at && `, ${say('widget.steps_done')}`}
            </span>
          </li>
        ))}
      </ol>
    </div>
  )
}
