import { json } from '@codemirror/lang-json'
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { MergeView } from '@codemirror/merge'
import { EditorState } from '@codemirror/state'
import { EditorView, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useEffect, useRef } from 'react'
import { useWords } from '#console/io/words.ts'
import styles from '#console/parts/JsonDiff.module.css'

export interface JsonDiffProps {
  before: string
  after: string
  beforeLabel: string
  afterLabel: string
}

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--info)' },
  { tag: tags.string, color: 'var(--up-text)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--warn)' },
])
const looks = EditorView.theme({
  '&': { color: 'var(--text)', fontSize: '12px', backgroundColor: 'var(--ground)' },
  '.cm-scroller': { fontFamily: 'var(--mono)' },
  '.cm-gutters': { border: '0', backgroundColor: 'var(--ground)', color: 'var(--quiet)' },
  '&.cm-merge-a .cm-changedLine': { backgroundColor: 'var(--down-soft)' },
  '&.cm-merge-b .cm-changedLine': { backgroundColor: 'var(--up-soft)' },
  '&.cm-merge-a .cm-changedText': { background: 'color-mix(in srgb, var(--down) 36%, transparent)' },
  '&.cm-merge-b .cm-changedText': { background: 'color-mix(in srgb, var(--up) 36%, transparent)' },
  '&.cm-merge-a .cm-changedLineGutter': { background: 'var(--down)' },
  '&.cm-merge-b .cm-changedLineGutter': { background: 'var(--up)' },
  '.cm-collapsedLines': { padding: '4px 12px', background: 'var(--raised)', color: 'var(--quiet)' },
})

/** The page's policy refuses style elements. In a shadow root the editor uses adopted style sheets instead. */
export default function JsonDiffView({ before, after, beforeLabel, afterLabel }: JsonDiffProps) {
  const say = useWords()
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const host = place.current
    if (!host) return
    const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
    const side = (doc: string, label: string) => ({
      doc,
      extensions: [
        lineNumbers(),
        json(),
        syntaxHighlighting(colours),
        EditorState.readOnly.of(true),
        EditorView.editable.of(false),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
        EditorState.phrases.of({ '$ unchanged lines': say('shell.diff.folded') }),
        looks,
      ],
    })
    const view = new MergeView({
      a: side(before, beforeLabel),
      b: side(after, afterLabel),
      parent: root,
      root,
      collapseUnchanged: { margin: 3, minSize: 6 },
      gutter: true,
    })
    return () => view.destroy()
  }, [before, after, beforeLabel, afterLabel, say])
  return (
    <figure className={styles.diff}>
      <figcaption className={styles.heads}>
        <span>{beforeLabel}</span>
        <span>{afterLabel}</span>
      </figcaption>
      <div ref={place} className={styles.view} />
    </figure>
  )
}
