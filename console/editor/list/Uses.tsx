import { Link, useParams } from 'react-router-dom'
import styles from '#console/editor/list/Documents.module.css'
import { useWorkspace } from '#console/io/useWorkspace.ts'
import { useWords } from '#console/io/words.ts'
import type { Use } from '#language/edit/where-used.ts'

/** Places as links into their documents. */
export function UseLinks({ uses, onOpen }: { uses: readonly Use[]; onOpen?(): void }) {
  const say = useWords()
  const { id } = useParams()
  return (
    <ul className={styles.uses}>
      {uses.map((use) => (
        <li key={`${use.file} ${use.pointer}`}>
          <Link className={styles.use} to={`/draft/${id}/document/${use.file}?at=${encodeURIComponent(use.pointer)}`} onClick={onOpen}>
            <span>{use.document}</span>
            <span className="quiet mono">
              {use.pointer} · {say('editor.line', { line: use.line })}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

/**
 * Why places that use a name may be missing from a list: a sentence for the operator. Undefined when every document was read, so that a use
 * that was not found does not exist.
 * @param path a document that cannot be a place itself
 */
export function useUnsure(path?: string): string | undefined {
  const say = useWords()
  const { sources, unread, broken } = useWorkspace()
  if (broken.prepared !== undefined) return say('editor.uses_failed', { reason: broken.prepared })
  if (!sources) return say('editor.uses_reading')
  const names = unread.filter((file) => file !== path)
  return names.length > 0 ? say('editor.uses_unread', { count: names.length, names: names.join(', ') }) : undefined
}
