import { Dialog } from '@base-ui/react/dialog'
import type { ReactNode, RefObject } from 'react'
import { type RootProps, useEngineText, useLayer } from '#renderer/widget-api.ts'
import { classes } from '#widgets/parts/look/classes.ts'
import { Icon } from '#widgets/parts/look/Icon.tsx'
import styles from '#widgets/parts/SheetDialog.module.css'

interface SheetDialogProps {
  root?: RootProps
  title: string
  open: boolean
  close: () => void
  /** The element that gets the focus first; the close button unless given. */
  first?: RefObject<HTMLElement | null>
  /** Stays as high as it can be, for lists that get shorter while one searches. */
  tall?: boolean
  children: ReactNode
}

/** A bottom sheet that traps and restores the focus. In a separate chunk: import it lazily. */
export default function SheetDialog({ root, title, open, close, first, tall = false, children }: SheetDialogProps) {
  const say = useEngineText()
  useLayer(open, close)
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && close()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.veil} />
        <Dialog.Popup {...root} className={classes(styles.sheet, tall && styles.tall)} initialFocus={first}>
          <div className={styles.head}>
            <Dialog.Title className={styles.title}>{title}</Dialog.Title>
            <Dialog.Close className={classes('pressable', styles.close)} aria-label={say('widget.close')}>
              <Icon name="x" />
            </Dialog.Close>
          </div>
          <div className={styles.body}>{children}</div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
