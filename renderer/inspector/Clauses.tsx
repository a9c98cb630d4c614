import type { Clause } from '#language/expression/explain.ts'
import { mask, maskText, oneLine } from '#renderer/inspector/mask.ts'
import { words as own } from '#renderer/inspector/words.ts'

type Words = Record<'missing' | 'decides', string>

const nameOf = (text: string) => text.split('.').at(-1) ?? ''

function outcome({ value, missing, stopped, op, text }: Clause, words: Words): string {
  if (stopped !== undefined) return String(stopped)
  if (missing.length > 0) return `${words.missing}: ${missing.join(', ')}`
  return oneLine(
    op === 'path' && typeof value === 'string' ? maskText(value, nameOf(text)) : mask(value, op === 'path' ? nameOf(text) : ''),
    60,
  )
}

/** A condition part by part, each with what it gave; the way to the part that settled it is marked. */
export function Clauses({ tree, words = own }: { tree: Clause; words?: Words }) {
  return (
    <ul className="i-clauses">
      <One clause={tree} words={words} />
    </ul>
  )
}

function One({ clause, words }: { clause: Clause; words: Words }) {
  const { text, deciding, children, op, value } = clause
  const inner = children.filter((child) => child.op !== 'literal')
  return (
    <li>
      <p data-deciding={deciding || undefined} data-value={typeof value === 'boolean' ? String(value) : undefined}>
        <code>{text}</code>
        {op !== 'literal' && <span className="i-value">{outcome(clause, words)}</span>}
        {deciding && <span className="visually-hidden">{words.decides}</span>}
      </p>
      {inner.length > 0 && (
        <ul className="i-inner">
          {inner.map((child) => (
            <One key={`${child.op} ${child.text}`} clause={child} words={words} />
          ))}
        </ul>
      )}
    </li>
  )
}
