import { useLocaleTag, useWords } from '#console/io/words.ts'
import { Button } from '#console/parts/Button.tsx'
import type { DryRun } from '#console/preview/protocol.ts'

/** Calls that would have changed something: what was not sent, and with what. */
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
