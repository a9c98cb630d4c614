import { useState } from 'react'
import { oneLine } from '#renderer/inspector/mask.ts'
import { words } from '#renderer/inspector/words.ts'

/** A value that is masked already, opened one level after the other. */
export function ValueView({ value, open = false }: { value: unknown; open?: boolean }) {
  if (typeof value !== 'object' || value === null) return <code className="i-leaf">{oneLine(value, 400)}</code>
  const entries = Object.entries(value)
  if (open) {
    return (
      <dl className="i-object">
        {entries.map(([name, one]) => (
          <Member key={name} name={name} value={one} />
        ))}
      </dl>
    )
  }
  return <Member name="" value={value} />
}

const isLeaf = (value: unknown) => typeof value !== 'object' || value === null || Object.keys(value).length === 0

function Member({ name, value }: { name: string; value: unknown }) {
  const [open, setOpen] = useState(false)
  if (isLeaf(value)) {
    return (
      <div>
        <dt>{name}</dt>
        <dd>
          <code className="i-leaf">{oneLine(value, 400)}</code>
        </dd>
      </div>
    )
  }
  return (
    <div>
      <dt>
        <button type="button" className="i-fold" aria-expanded={open} onClick={() => setOpen(!open)}>
          {name}
        </button>
      </dt>
      <dd>
        {open ? (
          <ValueView value={value} open />
        ) : (
          <span className="i-quiet">{Array.isArray(value) ? words.items(value.length) : oneLine(value, 60)}</span>
        )}
      </dd>
    </div>
  )
}
