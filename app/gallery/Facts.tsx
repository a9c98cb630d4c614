import { propFacts, slotWords } from '#app/gallery/schema.ts'
import { words } from '#app/gallery/words.ts'
import type { WidgetManifest } from '#language/types/catalog.ts'

/** Props, slots and events of a widget, from its passport. */
export function Facts({ widget }: { widget: WidgetManifest }) {
  const props = propFacts(widget)
  const slots = Object.entries(widget.slots)
  return (
    <section className="g-facts" aria-labelledby="facts">
      <h2 id="facts">{words.contract}</h2>
      <h3>{words.properties}</h3>
      {props.length === 0 ? (
        <p>{words.noProperties}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, also by keyboard
        <section className="g-scroll" tabIndex={0} aria-label={words.properties}>
          <table>
            <thead>
              <tr>
                <th scope="col">{words.name}</th>
                <th scope="col">{words.type}</th>
                <th scope="col">{words.notes}</th>
              </tr>
            </thead>
            <tbody>
              {props.map(({ name, type, required, notes }) => (
                <tr key={name}>
                  <th scope="row">
                    <code>{name}</code>
                    {required && <span className="g-quiet"> {words.required}</span>}
                  </th>
                  <td>{type}</td>
                  <td>{notes}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      <dl>
        <dt>{words.events}</dt>
        <dd>{widget.events.length === 0 ? words.noEvents : widget.events.map((event) => <code key={event}>{event}</code>)}</dd>
        <dt>{words.slots}</dt>
        <dd>
          {slots.length === 0
            ? words.noSlots
            : slots.map(([name, rule]) => (
                <span key={name} className="g-slot">
                  <code>{name}</code> {slotWords(rule)}
                </span>
              ))}
        </dd>
        <dt>{words.label}</dt>
        <dd>
          {widget.label === null ? (
            words.unlabelled
          ) : (
            <>
              <code>{widget.label}</code> {words.labelledBy}
            </>
          )}
        </dd>
        <dt>{words.states}</dt>
        <dd>
          {Object.entries(widget.states).map(([state, by]) => (
            <span key={state} className="g-slot">
              <code>{state}</code> {typeof by === 'string' ? by : Object.values(by as object).join(', ')}
            </span>
          ))}
        </dd>
      </dl>
    </section>
  )
}
