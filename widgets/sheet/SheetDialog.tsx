import { Dialog } from '@base-ui/react/dialog'
import { type RootProps, type SlotHandle, useEngineText } from '#renderer/widget-api.ts'
import { classes } from '#widgets/parts/classes.ts'
import { Icon } from '#widgets/parts/Icon.tsx'
import styles from '#widgets/sheet/SheetDialog.module.css'

interface SheetDialogProps {
  root: RootProps
  title: string
  open: boolean
  close: () => void
  body: SlotHandle
}

export default function SheetDialog({ root, title, open, close, body }: SheetDialogProps) {
  const say = useEngineText()
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && close()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.veil} />
        <Dialog.Popup {...root} className={styles.sheet}>
          <div className={styles.head}>
            <Dialog.Title className={styles.title}>{title}</Dialog.Title>
            <Dialog.Close className={classes('pressable', styles.close)} aria-label={say('widget.close')}>
              <Icon name="x" />
            </Dialog.Close>
          </div>
          <div className={styles.body}>{body.all()}</div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
