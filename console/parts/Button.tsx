import type { LucideIcon } from 'lucide-react'
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { Link } from 'react-router-dom'
import styles from '#console/parts/Button.module.css'
import { classes } from '#widgets/parts/look/classes.ts'

export type ButtonTone = 'primary' | 'plain' | 'quiet' | 'danger'
interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  tone?: ButtonTone
  icon?: LucideIcon
  small?: boolean
  /** Shows a spinner and disables the button. */
  busy?: boolean
  /** Why the button is closed. It stays focusable, so that everybody can read the reason. */
  closed?: string | undefined
  ref?: Ref<HTMLButtonElement>
  children: ReactNode
}

export function Button({
  tone = 'plain',
  icon: Icon,
  small,
  busy = false,
  closed,
  className,
  children,
  disabled,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      {...(closed ? { title: closed, 'aria-disabled': true } : { onClick })}
      className={classes(styles.button, styles[tone], small && styles.small, className)}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
    >
      {busy ? <span className={styles.spinner} aria-hidden /> : Icon && <Icon size={16} aria-hidden />}
      {children}
    </button>
  )
}

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'> {
  /** Accessible name and tooltip. */
  label: string
  icon: LucideIcon
  small?: boolean
  tone?: 'quiet' | 'danger'
  ref?: Ref<HTMLButtonElement>
}
export function IconButton({ label, icon: Icon, small, tone = 'quiet', className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      {...rest}
      className={classes(styles.button, styles.icon, styles[tone], small && styles.small, className)}
    >
      <Icon size={small ? 15 : 17} aria-hidden />
    </button>
  )
}

/** A link to a page of the console that looks like a button. */
export function LinkButton({
  to,
  tone = 'plain',
  icon: Icon,
  small,
  children,
}: {
  to: string
  tone?: ButtonTone
  icon?: LucideIcon
  small?: boolean
  children: ReactNode
}) {
  return (
    <Link to={to} className={classes(styles.button, styles[tone], small && styles.small)}>
      {Icon && <Icon size={16} aria-hidden />}
      {children}
    </Link>
  )
}
