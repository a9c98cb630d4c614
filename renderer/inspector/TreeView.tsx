import { useId } from 'react'
import { marksOf } from '#renderer/inspector/marks.ts'
import type { Branch, Trunk } from '#renderer/inspector/tree.ts'
import { words } from '#renderer/inspector/words.ts'

interface Props {
  trunks: readonly Trunk[]
  chosen: string | undefined
  choose: (branch: Branch) => void
  point: (path: string | undefined) => void
}

/** Every screen that stands, with its nodes. */
export function TreeView({ trunks, ...rest }: Props) {
  const id = useId()
  return (
    <section className="i-tree" aria-label={words.nodes}>
      {trunks.length === 0 && <p className="i-quiet">{words.noNodes}</p>}
      {trunks.map(({ screen, roots }) => (
        <section key={screen} aria-labelledby={`${id}${screen}`}>
          <h3 id={`${id}${screen}`}>
            {screen === 'app' ? words.outside : screen} {screen !== 'app' && <span className="i-quiet">{words.screen}</span>}
          </h3>
          <Branches list={roots} {...rest} />
        </section>
      ))}
    </section>
  )
}

function Branches({ list, inner = false, ...rest }: { list: readonly Branch[]; inner?: boolean } & Omit<Props, 'trunks'>) {
  return (
    <ul className={inner ? 'i-inner' : undefined}>
      {list.map((one) => (
        <li key={one.path}>
          <Line one={one} {...rest} />
          {one.children.length > 0 && <Branches list={one.children} inner {...rest} />}
          {one.further > 0 && <p className="i-quiet i-further">{words.more(one.further)}</p>}
        </li>
      ))}
    </ul>
  )
}

function Line({ one, chosen, choose, point }: { one: Branch } & Omit<Props, 'trunks'>) {
  const marks = marksOf(one)
  return (
    <button
      type="button"
      className="i-line"
      aria-current={one.path === chosen || undefined}
      data-quiet={marks.includes('hidden') || marks.includes('absent') || undefined}
      onClick={() => choose(one)}
      onPointerEnter={() => point(one.path)}
      onPointerLeave={() => point(undefined)}
      onFocus={() => point(one.path)}
      onBlur={() => point(undefined)}
    >
      <span className="i-id">{one.id}</span>
      {one.row !== undefined && <span className="i-row">{one.row}</span>}
      <span className="i-quiet">{one.widget}</span>
      {marks.map((mark) => (
        <span key={mark} className="i-mark" data-mark={mark}>
          {words[mark]}
        </span>
      ))}
    </button>
  )
}
