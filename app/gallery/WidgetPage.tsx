import { useId, useMemo, useState } from 'react'
import { CaseFrame } from '#app/gallery/CaseFrame.tsx'
import { type Case, casesOf } from '#app/gallery/cases.ts'
import { allWidgets, examplesOf } from '#app/gallery/examples.ts'
import { Facts } from '#app/gallery/Facts.tsx'
import type { Switches } from '#app/gallery/switches.ts'
import { stateWords, words } from '#app/gallery/words.ts'
import type { WidgetManifest } from '#language/types/catalog.ts'
import type { Mode } from '#renderer/core/theme.ts'
import { useEngine } from '#renderer/react/context.ts'

/** One widget: its examples, its states, and its passport. */
export function WidgetPage({ widget, switches }: { widget: WidgetManifest; switches: Switches }) {
  const { about, examples } = examplesOf(widget.type)
  const cases = useMemo(() => casesOf(widget, examples), [widget, examples])
  const at = allWidgets.indexOf(widget)
  return (
    <article className="g-widget">
      <header>
        <a className="g-link" href="#/">
          ← {words.all}
        </a>
        <h1>{widget.type}</h1>
        {about && <p>{about}</p>}
        {widget.major > 1 && (
          <p className="g-quiet">
            {words.major} {widget.major}
          </p>
        )}
      </header>
      {cases.length === 0 && <p className="g-none">{words.noExamples}</p>}
      <Cases title={words.examples} cases={cases.filter(({ state }) => state === 'ready')} switches={switches} withJson />
      <Cases title={words.states} cases={cases.filter(({ state }) => state !== 'ready')} switches={switches} />
      <Facts widget={widget} />
      <nav className="g-beside" aria-label={words.all}>
        {allWidgets[at - 1] && (
          <a className="g-link" rel="prev" href={`#/${allWidgets[at - 1]?.type}`}>
            ← {words.previous}: {allWidgets[at - 1]?.type}
          </a>
        )}
        {allWidgets[at + 1] && (
          <a className="g-link" rel="next" href={`#/${allWidgets[at + 1]?.type}`}>
            {words.next}: {allWidgets[at + 1]?.type} →
          </a>
        )}
      </nav>
    </article>
  )
}

interface CasesProps {
  title: string
  cases: readonly Case[]
  switches: Switches
  withJson?: boolean
}

function Cases({ title, cases, switches, withJson = false }: CasesProps) {
  const id = useId()
  if (cases.length === 0) return null
  const modes: Mode[] = switches.theme === 'both' ? ['dark', 'light'] : [switches.theme]
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <div className="g-cases">
        {cases.map((one) => (
          <figure key={one.id} className="g-case" data-case={one.id} data-state={one.state}>
            <figcaption>{one.state === 'ready' ? one.name : stateWords[one.state]}</figcaption>
            <div className="g-frames">
              {modes.map((mode) => (
                <CaseFrame key={mode} one={one} mode={mode} switches={switches} />
              ))}
            </div>
            {withJson && <Json one={one} />}
          </figure>
        ))}
      </div>
    </section>
  )
}

/** The example as a node, to be copied into a document. */
function Json({ one }: { one: Case }) {
  const engine = useEngine()
  const [open, setOpen] = useState(false)
  const text = useMemo(() => JSON.stringify(one.form ?? one.node, null, 2), [one])
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => engine.ui.toast(words.copied, 'success'),
      () => engine.ui.toast(words.notCopied, 'error'),
    )
  return (
    <details className="g-json" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{words.json}</summary>
      {open && (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard */}
          <pre tabIndex={0}>{text}</pre>
          <button type="button" className="g-button" onClick={() => void copy()}>
            {words.copy}
          </button>
        </>
      )}
    </details>
  )
}
