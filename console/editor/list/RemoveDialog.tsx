import { useMemo } from 'react'
import { Link, useNavigate, useParams } from 'react-router-dom'
import { sourcesOf } from '#console/editor/document/read.ts'
import styles from '#console/editor/list/Documents.module.css'
import { useWorkspace } from '#console/io/useWorkspace.ts'
import { useWords } from '#console/io/words.ts'
import { Button } from '#console/parts/Button.tsx'
import { Dialog } from '#console/parts/Dialog.tsx'
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
  const { files, catalog, drop, undo } = useWorkspace()
  const uses = useMemo(() => {
    if (!catalog) return []
    try {
      return usersOf(sourcesOf(files), document, catalog)
    } catch {
      // A document that is being typed may have any shape; the checks will report it.
      return []
    }
  }, [files, catalog, document])
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
      {uses.length === 0 ? (
        <p>{say('editor.delete_unused')}</p>
      ) : (
        <>
          <p>{say('editor.delete_used', { count: uses.length })}</p>
          <ul className={styles.uses}>
            {uses.map((use) => (
              <li key={`${use.file} ${use.pointer}`}>
                <Link
                  className={styles.use}
                  to={`/draft/${draft}/document/${use.file}?at=${encodeURIComponent(use.pointer)}`}
                  onClick={onClose}
                >
                  <span>{use.document}</span>
                  <span className="quiet mono">{use.pointer}</span>
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  )
}
