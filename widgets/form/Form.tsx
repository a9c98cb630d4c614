import type { ComponentType } from 'react'
import type { FormButtonProps, FormViewProps, ViewProps } from '#renderer/widget-api.ts'
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
    if (!props.form) return <SkeletonShape shape="card" count={1} root={{ ...root }} />
    return (
      <FormView
        root={root}
        form={props.form}
        className={classes(styles.form, props.inline && styles.inline)}
        groupClassName={styles.group}
        before={slots.before.all()}
        foot={slots.foot.all()}
        after={slots.after.all()}
        Button={Send}
        pages={pages}
        onDone={() => emit('done')}
      />
    )
  }
}

function Send({ label, enabled, busy, danger }: FormButtonProps) {
  return (
    <button
      type="submit"
      className={classes('pressable', push.button, danger ? push.danger : push.primary, push.block)}
      disabled={!enabled}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
    >
      <span className={push.face}>
        {busy && <Spinner />}
        <span>{label}</span>
      </span>
    </button>
  )
}
