import { useMemo } from 'react'
import { useWords } from '#console/io/words.ts'
import { Button } from '#console/parts/Button.tsx'
import type { HeldNode, NodePlace } from '#console/preview/protocol.ts'
import { Clauses } from '#renderer/inspector/Clauses.tsx'

interface Props {
  nodes: readonly HeldNode[]
  selected: NodePlace | null
  pick?: (place: NodePlace) => void
}

/** What is hidden or cannot be used on the page that is shown, each with the condition that says so. */
export function HeldList({ nodes, selected, pick }: Props) {
  const say = useWords()
  if (nodes.length === 0) return <p className="pv-quiet">{say('preview.nothing_held')}</p>
  return (
    <ul className="pv-held">
      {nodes.map((node) => (
        <li
          key={`${node.document} ${node.node} ${node.row ?? ''}`}
          aria-current={(selected?.document === node.document && selected.node === node.node) || undefined}
        >
          <details>
            <summary>
              <span className="pv-node">{node.node}</span>
              <span className="pv-quiet">{node.widget}</span>
              {node.row !== undefined && <span className="pv-quiet">{say('preview.row', { row: node.row })}</span>}
              <span className="pv-mark" data-mark={node.shown ? 'disabled' : 'hidden'}>
                {say(node.shown ? 'preview.disabled' : 'preview.hidden')}
              </span>
            </summary>
            <WhyHeld node={node} />
            {pick && (
              <Button small onClick={() => pick({ document: node.document, node: node.node })}>
                {say('preview.to_node')}
              </Button>
            )}
          </details>
        </li>
      ))}
    </ul>
  )
}

/** The conditions of one node, clause by clause, with what each gave. The editor shows it beside the condition's field, too. */
export function WhyHeld({ node }: { node: HeldNode }) {
  const say = useWords()
  const words = useMemo(() => ({ missing: say('preview.no_value'), decides: say('preview.decides') }), [say])
  return (
    <div className="pv-why">
      {node.within !== undefined && <p>{say('preview.within', { node: node.within })}</p>}
      {node.show && (
        <>
          <h4>{say(node.shown ? 'preview.why.show' : 'preview.why.hide')}</h4>
          <Clauses tree={node.show} words={words} />
        </>
      )}
      {node.enable && (
        <>
          <h4>{say(node.enabled ? 'preview.why.enable' : 'preview.why.disable')}</h4>
          <Clauses tree={node.enable} words={words} />
        </>
      )}
      {!node.show && !node.enable && node.within === undefined && <p className="pv-quiet">{say('preview.no_conditions')}</p>}
    </div>
  )
}
