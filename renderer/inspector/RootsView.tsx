import { rootsBy } from '#language/expression/scope.ts'
import type { NodeModel } from '#renderer/core/model.ts'
import { mask } from '#renderer/inspector/mask.ts'
import { type Branch, flat, type Trunk } from '#renderer/inspector/tree.ts'
import { ValueView } from '#renderer/inspector/ValueView.tsx'
import { words } from '#renderer/inspector/words.ts'

/** The roots of an action exist only while it runs. */
const roots = [...rootsBy.screen, ...rootsBy.form, ...rootsBy.row, ...rootsBy.app]

function read(model: NodeModel | undefined, root: string): unknown {
  try {
    return model?.scope.get(root)
  } catch {
    // A root that cannot be read here has no value here.
    return undefined
  }
}

/** Shows the values that expressions read, at the chosen node or at the first one that is drawn. */
export function RootsView({ trunks, branch }: { trunks: readonly Trunk[]; branch: Branch | undefined }) {
  const first = trunks.flatMap((trunk) => flat(trunk.roots)).find(({ model }) => model)
  const at = branch?.model ? branch : first
  const values = roots
    .map((root) => [root, mask(read(at?.model, root))] as const)
    .filter(([, value]) => value !== undefined && !(typeof value === 'object' && value !== null && Object.keys(value).length === 0))
  return (
    <section className="i-roots">
      <h3>{branch && at === branch ? words.rootsOf(branch.id) : words.roots}</h3>
      <ValueView value={Object.fromEntries(values)} open />
      <p className="i-quiet">{words.masked}</p>
    </section>
  )
}
