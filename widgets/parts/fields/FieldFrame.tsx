import type { ReactNode } from 'react'
import { type FieldHandle, type RootProps, useEngineText } from '#renderer/widget-api.ts'
import styles from '#widgets/parts/fields/field.module.css'
import { Icon } from '#widgets/parts/look/Icon.tsx'

interface FieldFrameProps {
  root: RootProps
  field: FieldHandle
  /** Several controls share the name: it stands over them and names the group. Of radio buttons the group is one control. */
  group?: boolean | 'radiogroup'
  /** The name of a group is heard and not seen. */
  hideLabel?: boolean
  /** Stands at the end of the hint's line: a counter. */
  aside?: ReactNode
  /** Stands at the end of the label's line: a button that the field needs first. */
  beside?: ReactNode
  /** Stands below all that is said of the control. */
  after?: ReactNode
  children: ReactNode
}

/** Label, control, hint and error of a field. Without state and effects, because a form may have two hundred fields. */
export function FieldFrame({ root, field, group = false, hideLabel = false, aside, beside, after, children }: FieldFrameProps) {
  const { id, label, problem } = field
  const words = field.required ? [label, requiredMark] : label
  const notes = hasNotes(field, aside) && <FieldNotes field={field} aside={aside} />
  if (!group) {
    return (
      <div {...root} className={styles.field} data-level={problem?.level}>
        {beside ? (
          <div className={styles.above}>
            <label className={styles.label} htmlFor={id}>
              {words}
            </label>
            {beside}
          </div>
        ) : (
          <label className={styles.label} htmlFor={id}>
            {words}
          </label>
        )}
        {children}
        {notes}
        {after}
      </div>
    )
  }
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles take a name, and a radiogroup may be required and invalid
    <div
      {...root}
      className={styles.field}
      data-level={problem?.level}
      role={group === 'radiogroup' ? group : 'group'}
      aria-labelledby={`${id}-label`}
      aria-describedby={field.native['aria-describedby']}
      aria-required={group === 'radiogroup' ? field.native['aria-required'] : undefined}
      aria-invalid={group === 'radiogroup' ? field.native['aria-invalid'] : undefined}
    >
      <span id={`${id}-label`} className={hideLabel ? 'visually-hidden' : styles.label}>
        {words}
      </span>
      {children}
      {notes}
      {after}
    </div>
  )
}

/** Visual only: the control itself is marked as required. */
export const requiredMark = (
  <span key="mark" aria-hidden="true" className={styles.mark}>
    {' *'}
  </span>
)

/** Whether there is anything below a control. A form may have two hundred fields, and most have nothing. */
export const hasNotes = ({ hint, problem }: FieldHandle, aside?: ReactNode) => Boolean(hint || problem || aside)

/** Hint and error below a control, with the ids for aria-describedby. */
export function FieldNotes({ field, aside }: { field: FieldHandle; aside?: ReactNode }) {
  const { id, hint, problem } = field
  return (
    <>
      {aside ? (
        <div className={styles.below}>
          {hint && <Hint id={id} text={hint} />}
          {aside}
        </div>
      ) : (
        hint && <Hint id={id} text={hint} />
      )}
      {problem && <ProblemLine field={field} problem={problem} />}
    </>
  )
}

function Hint({ id, text }: { id: string; text: string }) {
  return (
    <p id={`${id}-hint`} className={styles.hint}>
      {text}
    </p>
  )
}

const icons = { error: 'circle-alert', warn: 'triangle-alert', info: 'info' }

function ProblemLine({ field, problem }: { field: FieldHandle; problem: NonNullable<FieldHandle['problem']> }) {
  const say = useEngineText()
  const { level, text } = problem
  return (
    <>
      <p id={`${field.id}-problem`} className={styles.problem} data-level={level} role={level === 'error' ? 'alert' : 'status'}>
        <Icon name={icons[level]} size={16} />
        <span>{text}</span>
      </p>
      {level === 'warn' && (
        <label className={styles.accept}>
          <input
            type="checkbox"
            className={styles.tick}
            data-accept=""
            checked={field.accepted}
            disabled={!field.enabled}
            aria-describedby={`${field.id}-problem`}
            onChange={(event) => field.accept(event.target.checked)}
          />
          <span>{say('widget.field_accept')}</span>
        </label>
      )}
    </>
  )
}
