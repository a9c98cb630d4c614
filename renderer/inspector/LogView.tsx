import { useSyncExternalStore } from 'react'
import type { Entry, Log } from '#renderer/inspector/log.ts'
import { words } from '#renderer/inspector/words.ts'

const clock = (at: number) => new Date(at).toISOString().slice(11, 23)

/** Shows the log, newest entry first: actions with their steps, calls with their outcome, pushed messages, failures. */
export function LogView({ log }: { log: Log }) {
  const entries = useSyncExternalStore(log.subscribe, log.entries)
  if (entries.length === 0) return <p className="i-quiet i-empty">{words.emptyLog}</p>
  return (
    <section className="i-log" aria-label={words.log}>
      <button type="button" className="i-button" onClick={log.clear}>
        {words.clear}
      </button>
      <ol>
        {entries.map((entry) => (
          <Line key={entry.id} entry={entry} />
        ))}
      </ol>
    </section>
  )
}

function Line({ entry: { at, kind, subject, lines, outcome, tookMs, problem } }: { entry: Entry }) {
  return (
    <li data-kind={kind} data-outcome={outcome}>
      <p>
        <time className="i-quiet">{clock(at)}</time> <span className="i-kind">{words[kind]}</span> <strong>{subject}</strong>{' '}
        {outcome && (
          <span className="i-mark" data-mark={outcome}>
            {words[outcome]}
            {problem !== undefined && ` ${problem}`}
            {tookMs !== undefined && ` ${tookMs} ms`}
          </span>
        )}
      </p>
      {lines.length > 0 && <pre>{lines.join('\n')}</pre>}
    </li>
  )
}
