import { AppForm } from '#console/editor/kinds/AppForm.tsx'
import styles from '#console/editor/kinds/FormOf.module.css'
import { PromptForm } from '#console/editor/kinds/PromptForm.tsx'
import { QuickEntriesForm } from '#console/editor/kinds/QuickEntriesForm.tsx'
import { RoutesForm } from '#console/editor/kinds/RoutesForm.tsx'
import { ValidationForm } from '#console/editor/kinds/ValidationForm.tsx'
import { NodePane } from '#console/editor/node/NodePane.tsx'
import { TreeView } from '#console/editor/tree/TreeView.tsx'

/** The tree of nodes, and the form of the selected node beside it. */
function TreeForm() {
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

const forms: Readonly<Record<string, () => React.ReactNode>> = {
  screen: TreeForm,
  form: TreeForm,
  fragment: TreeForm,
  'quick-entries': QuickEntriesForm,
  routes: RoutesForm,
  validation: ValidationForm,
  prompt: PromptForm,
  app: AppForm,
}

/** Whether the kind has an editor beside its JSON. */
export const hasForm = (kind: string): boolean => Object.hasOwn(forms, kind)

export function FormOf({ kind }: { kind: string }) {
  const Form = Object.hasOwn(forms, kind) ? forms[kind] : undefined
  return Form ? <Form /> : null
}
