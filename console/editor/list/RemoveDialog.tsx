import { useMemo } from 'react'
import { useNavigate, useParams } from 'react-router-dom'
import { UseLinks, useUnsure } from '#console/editor/list/Uses.tsx'
import { useWorkspace } from '#console/io/useWorkspace.ts'
import { useWords } from '#console/io/words.ts'
import { Button } from '#console/parts/Button.tsx'
import { Dialog } from '#console/parts/dialog/Dialog.tsx'
import { useToast } from '#console/parts/Toast.tsx'
import { usersOf } from '#language/edit/where-used.ts'
import type { DocumentKey } from '#language/publish/release.ts'

interface RemoveDialogProps {
  path: string
  document: DocumentKey
  title: string
  onClose(): void
}

/** Lists the users of the document before it is deleted. The draft can restore it. */
export function RemoveDialog({ path, document, title, onClose }: RemoveDialogProps) {
  const say = useWords()
  const { id: draft } = useParams()
  const navigate = useNavigate()
  const toast = useToast()
  const { sources, catalog, drop, undo } = useWorkspace()
  const unsure = useUnsure(path)
  const uses = useMemo(() => (catalog && sources ? usersOf(sources, document, catalog) : []), [sources, catalog, document])
  const remove = () => {
    drop(path)
    toast.good(say('editor.removed', { name: title }), { label: say('editor.undo'), run: undo })
    navigate(`/draft/${draft}/documents`)
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={say('editor.delete_title', { name: title })}
      foot={
        <>
          <Button onClick={onClose}>{say('editor.cancel')}</Button>
          <Button tone="danger" onClick={remove}>
            {say('editor.delete')}
          </Button>
        </>
      }
    >
      {uses.length === 0 && unsure === undefined && <p>{say('editor.delete_unused')}</p>}
      {uses.length > 0 && (
        <>
          <p>{say('editor.delete_used', { count: uses.length })}</p>
          <UseLinks uses={uses} onOpen={onClose} />
        </>
      )}
      {unsure !== undefined && <p role="status">{unsure}</p>}
    </Dialog>
  )
}
