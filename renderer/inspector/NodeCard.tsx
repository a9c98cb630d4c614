import { explain } from '#language/expression/explain.ts'
import type { Engine } from '#renderer/engine/types.ts'
import { Clauses } from '#renderer/inspector/Clauses.tsx'
import { marksOf } from '#renderer/inspector/marks.ts'
import { mask } from '#renderer/inspector/mask.ts'
import { type Branch, writtenNode } from '#renderer/inspector/tree.ts'
import { ValueView } from '#renderer/inspector/ValueView.tsx'
import { words } from '#renderer/inspector/words.ts'

interface Props {
  way: readonly Branch[]
  chosen: string | undefined
  choose: (branch: Branch | undefined) => void
  engine: Engine
}

/** Fields whose value is a secret whatever its name is. */
const secretWidget = /password|code|otp|pin-|secret/

/** Why one node looks as it does: its state, its conditions clause by clause, and what its view gets. */
export function NodeCard({ way, chosen, choose, engine }: Props) {
  const one = way.at(-1)
  if (!one) return <p className="i-quiet i-empty">{chosen === undefined ? words.nothingPicked : words.gone}</p>
  const { model } = one
  const shot = model?.getSnapshot()
  const document = (model?.host as { screen?: { id?: string; body?: unknown } } | undefined)?.screen
  const written = writtenNode(document?.body ?? engine.app().tabBar, one.id)
  const marks = marksOf(one)
  const veil = way.find((above) => above !== one && marksOf(above).includes('hidden'))
  const props = Object.fromEntries(
    Object.entries(shot?.props ?? {}).map(([name, value]) => [
      name,
      name === 'value' && secretWidget.test(one.widget) ? mask(value, 'password') : mask(value),
    ]),
  )
  return (
    <section className="i-card" aria-label={one.id}>
      <button type="button" className="i-back" onClick={() => choose(undefined)}>
        ← {words.back}
      </button>
      <p className="i-way">
        {way.slice(0, -1).map((above) => (
          <button key={above.path} type="button" onClick={() => choose(above)}>
            {above.id}
          </button>
        ))}
      </p>
      <h3>
        {one.id} <span className="i-quiet">{one.widget}</span>
      </h3>
      <p className="i-marks">
        {(marks.length > 0 ? marks : (['shown', 'ready'] as const)).map((mark) => (
          <span key={mark} className="i-mark" data-mark={mark}>
            {words[mark]}
          </span>
        ))}
        {one.row !== undefined && (
          <span className="i-quiet">
            {words.row} {one.row}
          </span>
        )}
      </p>
      {!model && <p className="i-quiet">{veil ? words.within(veil.id) : words.elsewhere}</p>}
      {shot?.problem && (
        <p className="i-problem">
          {words.problem}: {shot.problem.name} {shot.problem.msg}
        </p>
      )}
      {model && written?.show !== undefined && (
        <Why title={shot?.shown ? words.why.show : words.why.hide} logic={written.show} scope={model.scope} />
      )}
      {model && written?.enable !== undefined && (
        <Why title={shot?.enabled ? words.why.enable : words.why.disable} logic={written.enable} scope={model.scope} />
      )}
      {model && written && written.show === undefined && <p className="i-quiet">{words.always}</p>}
      <h4>{words.props}</h4>
      {Object.keys(props).length === 0 ? <p className="i-quiet">{words.noProps}</p> : <ValueView value={props} open />}
      {model && (
        <dl className="i-facts">
          <Names title={words.reads} names={model.node.topics} />
          <Names title={words.waitsFor} names={model.node.sources} />
          <Names title={words.answers} names={Object.keys(model.node.on)} />
        </dl>
      )}
    </section>
  )
}

function Names({ title, names }: { title: string; names: readonly string[] }) {
  if (names.length === 0) return null
  return (
    <>
      <dt>{title}</dt>
      <dd>
        {names.map((name) => (
          <code key={name}>{name}</code>
        ))}
      </dd>
    </>
  )
}

function Why({ title, logic, scope }: { title: string; logic: unknown; scope: Parameters<typeof explain>[1] }) {
  let tree: ReturnType<typeof explain> | undefined
  let refused = ''
  try {
    tree = explain(logic, scope)
  } catch (error) {
    refused = String(error)
  }
  return (
    <>
      <h4>{title}</h4>
      {tree ? <Clauses tree={tree} /> : <p className="i-problem">{refused}</p>}
    </>
  )
}
