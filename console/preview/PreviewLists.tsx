import { useMemo } from 'react'
import { useLocaleTag, useWords } from '#console/io/words.ts'
import { Button } from '#console/parts/Button.tsx'
import type { DryRun, HiddenNode, NodePlace } from '#console/preview/protocol.ts'
import { Clauses } from '#renderer/inspector/Clauses.tsx'

interface Props {
  nodes: readonly HiddenNode[]
  selected: NodePlace | null
  pick?: (place: NodePlace) => void
}

/** The hidden and disabled nodes of the page, each with its condition. */
export function HiddenList({ nodes, selected, pick }: Props) {
  const say = useWords()
  if (nodes.length === 0) return <p className="pv-quiet">{say('preview.no_hidden_nodes')}</p>
  return (
    <ul className="pv-hidden">
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
            <WhyHidden node={node} />
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

/** The conditions of one node, clause by clause, with their results. */
function WhyHidden({ node }: { node: HiddenNode }) {
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

/** Calls that would have changed something and were not sent, with their arguments. */
export function DryRuns({ runs, forget }: { runs: readonly DryRun[]; forget: () => void }) {
  const say = useWords()
  const tag = useLocaleTag()
  if (runs.length === 0) return <p className="pv-quiet">{say('preview.no_runs')}</p>
  return (
    <>
      <p className="pv-quiet">{say('preview.runs_note')}</p>
      <ol className="pv-runs" reversed>
        {runs.map((run) => (
          <li key={run.id}>
            <p className="pv-run">
              <code>{run.call}</code>
              <time className="pv-quiet" dateTime={new Date(run.at).toISOString()}>
                {new Date(run.at).toLocaleTimeString(tag)}
              </time>
            </p>
            <Args args={run.args} />
          </li>
        ))}
      </ol>
      <Button small tone="quiet" onClick={forget}>
        {say('preview.forget_runs')}
      </Button>
    </>
  )
}

function Args({ args }: { args: unknown }) {
  const members = Object.entries((args ?? {}) as Record<string, unknown>).filter(([, value]) => value !== undefined)
  if (members.length === 0) return null
  return (
    <dl>
      {members.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
        </div>
      ))}
    </dl>
  )
}
