import { type ComponentType, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { type FormButtonProps, type FormButtonsProps, type FormViewProps, useWide, type ViewProps } from '#renderer/widget-api.ts'
import styles from '#widgets/form/Form.module.css'
import { Foot, Head, Summary } from '#widgets/form/FormPages.tsx'
import type { FormProps } from '#widgets/form/form.props.ts'
import { classes } from '#widgets/parts/look/classes.ts'
import { SkeletonShape } from '#widgets/parts/look/SkeletonShape.tsx'
import { Spinner } from '#widgets/parts/look/Spinner.tsx'
import push from '#widgets/parts/PushButton.module.css'

type Props = ViewProps<FormProps, 'done', 'before' | 'foot' | 'after'>

const pages = { Head, Summary, Foot }

/** Layout of a form around its fields and submit button, which the engine renders. */
export function formOf(FormView: ComponentType<FormViewProps>) {
  return function Form({ root, props, emit, slots }: Props) {
    // Its name may come from data, which is not here yet.
    if (!props.form) return <SkeletonShape shape="unsized" root={{ ...root }} />
    return (
      <FormView
        root={root}
        form={props.form}
        className={classes(styles.form, props.inline && styles.inline, props.dense && styles.dense)}
        groupClassName={styles.group}
        before={slots.before.all()}
        foot={slots.foot.all()}
        after={slots.after.all()}
        Button={Send}
        pages={pages}
        Buttons={props.stick ? AtTheFoot : Side}
        onDone={() => emit('done')}
      />
    )
  }
}

const toneOf = (tone: string | undefined, danger: boolean) =>
  tone === 'up' ? push.up : tone === 'down' ? push.down : danger ? push.danger : push.primary

function Send({ label, enabled, busy, danger, form, choice }: FormButtonProps) {
  return (
    <button
      type={choice ? 'button' : 'submit'}
      form={form}
      className={classes('pressable', push.button, toneOf(choice?.tone, danger), push.block)}
      disabled={!enabled}
      data-key={choice?.id}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={choice?.onPress}
    >
      <span className={push.face}>
        {busy && <Spinner />}
        <span>{label}</span>
      </span>
    </button>
  )
}

/** Buttons that choose stand beside each other, and carry the name of the field as a node does. */
function Side({ choices, children }: FormButtonsProps) {
  if (choices === undefined) return children
  return (
    <div className={styles.choices} data-node={choices} data-sends="">
      {children}
    </div>
  )
}

/** On a phone the foot of the page, which stays in view; in a wide window the end of the form. */
function AtTheFoot({ choices, children }: FormButtonsProps) {
  const isWide = useWide()
  const place = useRef<HTMLSpanElement>(null)
  const [foot, setFoot] = useState<Element | null>(null)
  useEffect(() => setFoot(isWide ? null : (place.current?.closest('[data-page]')?.querySelector(':scope > [data-foot]') ?? null)), [isWide])
  const buttons = <Side choices={choices}>{children}</Side>
  return (
    <>
      <span ref={place} hidden />
      {foot ? createPortal(buttons, foot) : buttons}
    </>
  )
}
