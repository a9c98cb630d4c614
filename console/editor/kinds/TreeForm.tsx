import styles from '#console/editor/kinds/TreeForm.module.css'
import { NodePane } from '#console/editor/node/NodePane.tsx'
import { TreeView } from '#console/editor/tree/TreeView.tsx'

/** Tree at the left, the form of what is chosen beside it. */
export function TreeForm() {
  return (
    <div className={styles.frame}>
      <div className={styles.tree}>
        <TreeView />
      </div>
      <div className={styles.node}>
        <NodePane />
      </div>
    </div>
  )
}
