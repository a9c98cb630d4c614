import { useId, useState } from 'react'
import { words } from '#app/gallery/words.ts'
import { type AnyFunction, callWith, kindOf, type ValueType } from '#contract/functions/define.ts'
import { functions } from '#contract/functions/registry.ts'

/** All domain functions with their examples, and fields to try them. */
export function FunctionsPage() {
  return (
    <article className="g-widget">
      <header>
        <a className="g-link" href="#/">
          ← {words.all}
        </a>
        <h1>functions</h1>
        <p className="g-quiet">{words.functionsAbout}</p>
      </header>
      {functions.map((one) => (
        <FunctionCard key={one.name} one={one} />
      ))}
    </article>
  )
}

const kindsOf = ({ params }: AnyFunction) => Object.entries(params)
const wordOf = (type: ValueType) => (typeof type === 'string' ? type : type.decimal.unit)
const written = (value: unknown) => (value === null ? words.notComputed : String(value))

function FunctionCard({ one }: { one: AnyFunction }) {
  const id = useId()
  const first = one.examples[0]?.args ?? {}
  const [typed, setTyped] = useState<Record<string, string>>(() =>
    Object.fromEntries(kindsOf(one).map(([name]) => [name, String(first[name] ?? '')])),
  )
  const given = kindsOf(one).map(([name, kind]) => (kindOf(kind) === 'boolean' ? typed[name] === 'true' : typed[name]))
  return (
    <section className="g-facts" aria-labelledby={id}>
      <h2 id={id}>
        <code>
          {one.name}(
          {kindsOf(one)
            .map(([name]) => name)
            .join(', ')}
          )
        </code>
      </h2>
      <p>{one.about}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, also by keyboard */}
      <section className="g-scroll" tabIndex={0} aria-label={`${words.examples}: ${one.name}`}>
        <table>
          <thead>
            <tr>
              {kindsOf(one).map(([name, kind]) => (
                <th key={name} scope="col">
                  {name} <span className="g-quiet">{wordOf(kind)}</span>
                </th>
              ))}
              <th scope="col">
                {words.gives} <span className="g-quiet">{wordOf(one.result)}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {one.examples.map((example) => (
              <tr key={JSON.stringify(example.args)}>
                {kindsOf(one).map(([name]) => (
                  <td key={name}>{String(example.args[name])}</td>
                ))}
                <td>{written(one.run(example.args))}</td>
              </tr>
            ))}
            <tr>
              {kindsOf(one).map(([name]) => (
                <td key={name}>
                  <input
                    className="g-try"
                    aria-label={`${one.name}: ${name}`}
                    value={typed[name]}
                    onChange={(event) => setTyped({ ...typed, [name]: event.target.value })}
                  />
                </td>
              ))}
              <td>
                <output aria-live="polite">{written(callWith(one, given))}</output>
              </td>
            </tr>
          </tbody>
        </table>
      </section>
    </section>
  )
}
