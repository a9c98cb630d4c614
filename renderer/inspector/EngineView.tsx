import type { NodeModel } from '#renderer/core/model.ts'
import type { Engine } from '#renderer/engine/types.ts'
import { sourcesOf } from '#renderer/inspector/tree.ts'
import { words } from '#renderer/inspector/words.ts'

/** Where the engine stands: release, language, feed, and the data sources of what is shown. */
export function EngineView({ engine, live }: { engine: Engine; live: ReadonlySet<NodeModel> }) {
  const { state } = engine.feed.health()
  const silenceMs = engine.feed.silenceMs()
  const ago = silenceMs === undefined ? words.never : words.ago((silenceMs / 1_000).toFixed(1))
  const sources = sourcesOf(live)
  return (
    <section className="i-engine">
      <dl className="i-facts">
        <dt>{words.release}</dt>
        <dd>{engine.config.current()?.release}</dd>
        <dt>{words.caps}</dt>
        <dd>{engine.registry.list.length}</dd>
        <dt>{words.language}</dt>
        <dd>
          {engine.language().id} ({engine.language().tag})
        </dd>
        <dt>{words.feed}</dt>
        <dd>
          <span className="i-mark" data-mark={state}>
            {state}
          </span>
        </dd>
        <dt>{words.lastMessage}</dt>
        <dd>{ago}</dd>
        <dt>{words.quotes}</dt>
        <dd>{engine.feed.quotes().length}</dd>
      </dl>
      <h3>{words.sources}</h3>
      {sources.size === 0 ? (
        <p className="i-quiet">{words.noSources}</p>
      ) : (
        <dl className="i-facts">
          {[...sources].map(([name, status]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <span className="i-mark" data-mark={status}>
                  {status}
                </span>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  )
}
