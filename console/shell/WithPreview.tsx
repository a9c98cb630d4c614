import { PanelRightClose, PanelRightOpen } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useWorkspace } from '#console/io/useWorkspace.ts'
import { useWords } from '#console/io/words.ts'
import { IconButton } from '#console/parts/Button.tsx'
import { Skeleton } from '#console/parts/EmptyState.tsx'
import { SplitPane } from '#console/parts/layout/SplitPane.tsx'
import styles from '#console/shell/WithPreview.module.css'

const PreviewPane = lazy(async () => ({ default: (await import('#console/preview/PreviewPane.tsx')).PreviewPane }))
const key = 'console.preview.folded'

/** A page with the preview beside it, which can be collapsed. The choice is stored in this browser. */
export function WithPreview({ children }: { children: ReactNode }) {
  const say = useWords()
  const { prepared, problems, unread, checking } = useWorkspace()
  const [folded, setFolded] = useState(() => localStorage.getItem(key) === '1' || matchMedia('(max-width: 900px)').matches)
  const fold = (next: boolean) => {
    setFolded(next)
    localStorage.setItem(key, next ? '1' : '0')
  }
  return (
    <SplitPane
      id="preview"
      main={
        <>
          {folded && (
            <div className={styles.open}>
              <IconButton label={say('shell.preview.open')} icon={PanelRightOpen} onClick={() => fold(false)} />
            </div>
          )}
          {children}
        </>
      }
      side={
        folded ? null : (
          <div className={styles.side}>
            <div className={styles.head}>
              <strong>{say('shell.preview.title')}</strong>
              <IconButton small label={say('shell.preview.close')} icon={PanelRightClose} onClick={() => fold(true)} />
            </div>
            <Suspense fallback={<Skeleton />}>
              <PreviewPane set={prepared} problems={problems} unread={unread} checking={checking} />
            </Suspense>
          </div>
        )
      }
    />
  )
}
