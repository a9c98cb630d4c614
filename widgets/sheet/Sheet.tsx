import { useState } from 'react'
import { lazy, useSheet, type ViewProps } from '#renderer/widget-api.ts'
import type { SheetProps } from '#widgets/sheet/sheet.props.ts'

const SheetDialog = lazy(() => import('#widgets/parts/SheetDialog.tsx'))

/** Renders nothing until it is first opened; then it stays, so that it can animate its closing and restore the focus. */
export function Sheet({ root, props, slots }: ViewProps<SheetProps, never, 'body'>) {
  const { open, close } = useSheet(root['data-node'])
  const [wanted, setWanted] = useState(open)
  if (open && !wanted) setWanted(true)
  if (!wanted) return null
  return (
    <SheetDialog root={root} title={props.title} open={open} close={close}>
      {slots.body.all()}
    </SheetDialog>
  )
}
