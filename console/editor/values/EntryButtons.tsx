import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react'
import { around, nameIn } from '#console/editor/document/pointer.ts'
import { useEditing } from '#console/editor/document/useEditing.tsx'
import { useWords } from '#console/io/words.ts'
import { IconButton } from '#console/parts/Button.tsx'

interface EntryButtonsProps {
  /** JSON pointer of the entry. */
  pointer: string
  isLast: boolean
  /** Label of the button that takes the entry out. */
  label: string
  /** The list must keep the entry. */
  isNeeded?: boolean
  /** The default takes out the entry alone. */
  onTakeOut?: () => void
}

/** Buttons that move an entry of a list and take it out. */
export function EntryButtons({ pointer, isLast, label, isNeeded = false, onTakeOut }: EntryButtonsProps) {
  const say = useWords()
  const { editable, move, set } = useEditing()
  const list = around(pointer)
  const index = Number(nameIn(pointer))
  return (
    <>
      <IconButton
        small
        label={say('editor.up')}
        icon={ArrowUp}
        disabled={!editable || index === 0}
        onClick={() => move(pointer, { list, index: index - 1 }, true)}
      />
      <IconButton
        small
        label={say('editor.down')}
        icon={ArrowDown}
        disabled={!editable || isLast}
        onClick={() => move(pointer, { list, index: index + 2 }, true)}
      />
      <IconButton
        small
        label={label}
        icon={Trash2}
        disabled={!editable || isNeeded}
        onClick={onTakeOut ?? (() => set(pointer, undefined))}
      />
    </>
  )
}
