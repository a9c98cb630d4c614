import { useMemo } from 'react'
import { useEngineText, type ViewProps } from '#renderer/widget-api.ts'
import styles from '#widgets/difference/Difference.module.css'
import type { DifferenceProps } from '#widgets/difference/difference.props.ts'
import { blocksOf, compareLines, type Line } from '#widgets/difference/lines.rules.ts'

const none = '–'
const signs = { same: ' ', removed: '−', added: '+' }

/** The values and the text that an action has changed, before and after, with other values of it folded. */
export function Difference({ root, props }: ViewProps<DifferenceProps, never>) {
  const { caption, names, choices, changes = [], before, after, file, details = [], detailsLabel, open = false } = props
  const say = useEngineText()
  const labelOf = (name: string) => say(names, { context: name })
  const shown = (values: readonly string[], choice = '') =>
    values
      .map((value) =>
        choices !== undefined && choice !== '' ? say(choices, { context: `${choice}_${value}`.replaceAll(/\W/g, '_') }) : value,
      )
      .join(', ') || none
  return (
    <section {...root} className={styles.difference} aria-label={caption}>
      {changes.length > 0 && (
        <dl className={styles.values}>
          {changes.map(({ name, choice, before: was, after: is }) => (
            <div key={name} className={styles.change}>
              <dt>{labelOf(name)}</dt>
              <dd>
                <del>
                  <span className="visually-hidden">{before}: </span>
                  {shown(was, choice)}
                </del>
                <span aria-hidden>→</span>
                <ins>
                  <span className="visually-hidden">{after}: </span>
                  {shown(is, choice)}
                </ins>
              </dd>
            </div>
          ))}
        </dl>
      )}
      {file && <FileLines before={file.before} after={file.after} labels={{ removed: before, added: after }} />}
      {details.length > 0 && (
        <details className={styles.details} open={open}>
          <summary>{detailsLabel}</summary>
          <dl className={styles.values}>
            {details.map(({ name, choice, values }) => (
              <div key={name} className={styles.value}>
                <dt>{labelOf(name)}</dt>
                <dd>{shown(values, choice)}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </section>
  )
}

interface FileLinesProps {
  before: string | null
  after: string | null
  labels: { removed: string; added: string }
}

function FileLines({ before, after, labels }: FileLinesProps) {
  const say = useEngineText()
  const blocks = useMemo(() => blocksOf(compareLines(before, after)), [before, after])
  const lines = (all: readonly Line[]) =>
    all.map(({ kind, text }, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: lines never move
      <div key={at} className={styles.line} data-line={kind}>
        <span aria-hidden>{signs[kind]}</span>
        {kind !== 'same' && <span className="visually-hidden">{labels[kind]}: </span>}
        <code>{text}</code>
      </div>
    ))
  return (
    <div className={styles.file}>
      {blocks.map(({ kind, lines: all }, at) =>
        kind === 'lines' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: blocks never move
          <div key={at}>{lines(all)}</div>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: blocks never move
          <details key={at}>
            <summary>{say('widget.lines_same', { count: all.length })}</summary>
            {lines(all)}
          </details>
        ),
      )}
    </div>
  )
}
