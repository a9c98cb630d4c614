import { useState } from 'react'
import { type FieldHandle, lazy } from '#renderer/widget-api.ts'
import styles from '#widgets/parts/fields/field.module.css'
import own from '#widgets/parts/fields/PickBox.module.css'
import type { PickOption } from '#widgets/parts/fields/search.rules.ts'
import { classes } from '#widgets/parts/look/classes.ts'
import { Icon } from '#widgets/parts/look/Icon.tsx'

const PickSheet = lazy(() => import('#widgets/parts/fields/pick/PickSheet.tsx'))

interface PickBoxProps {
  field: FieldHandle
  options: readonly PickOption[]
  chosen: string | undefined
  /** The text in the box; the empty text shows the placeholder. */
  text: string
  placeholder: string
  /** Shows the notes of the options too; they are searched in any case. */
  notes?: boolean
  pick: (id: string) => void
}

/** Looks like a select and opens a searchable list. */
export function PickBox({ field, options, chosen, text, placeholder, notes = false, pick }: PickBoxProps) {
  const { id, native } = field
  const [open, setOpen] = useState(false)
  const [wanted, setWanted] = useState(false)
  const show = () => {
    setWanted(true)
    setOpen(true)
  }
  const close = () => {
    setOpen(false)
    field.blur()
  }
  return (
    <>
      <button
        ref={field.focusRef}
        id={id}
        type="button"
        role="combobox"
        className={classes('pressable', styles.box)}
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-required={native['aria-required']}
        aria-invalid={native['aria-invalid']}
        aria-describedby={native['aria-describedby']}
        disabled={native.disabled}
        onPointerEnter={() => void PickSheet.load().catch(() => undefined)}
        onClick={show}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          show()
        }}
      >
        <span className={classes(own.text, text === '' && own.none)}>{text || placeholder}</span>
        <Icon name="chevron-down" size={18} className={own.arrow} />
      </button>
      {wanted && (
        <PickSheet
          title={field.label}
          options={options}
          notes={notes}
          chosen={chosen}
          open={open}
          close={close}
          pick={(picked) => {
            pick(picked)
            close()
          }}
        />
      )}
    </>
  )
}
