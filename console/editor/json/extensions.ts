import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { RangeSetBuilder } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** Uses the CSS variables of the console, so the dark and the light theme need no other rules. */
export const look = [
  EditorView.theme({
    '&': { height: '100%', fontSize: '13px', color: 'var(--text)', backgroundColor: 'var(--ground)' },
    '&.cm-focused': { outline: 'none' },
    '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
    '.cm-content': { caretColor: 'var(--accent)', padding: '8px 0' },
    '.cm-cursor': { borderLeftColor: 'var(--accent)', borderLeftWidth: '2px' },
    '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
      backgroundColor: 'color-mix(in srgb, var(--accent) 26%, transparent)',
    },
    '.cm-gutters': { backgroundColor: 'var(--ground)', color: 'var(--quiet)', border: 'none' },
    '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--raised) 55%, transparent)' },
    '.cm-activeLineGutter': { backgroundColor: 'var(--raised)', color: 'var(--text)' },
    '.cm-foldPlaceholder': { backgroundColor: 'var(--raised)', border: 'none', color: 'var(--quiet)', padding: '0 6px' },
    '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
      backgroundColor: 'var(--accent-soft)',
      outline: '1px solid var(--line-strong)',
    },
    '.cm-searchMatch': { backgroundColor: 'var(--warn-soft)', outline: '1px solid var(--warn)' },
    '.cm-panels': { backgroundColor: 'var(--surface)', color: 'var(--text)', borderColor: 'var(--line)' },
    '.cm-panels input, .cm-panels button': {
      border: '1px solid var(--line-strong)',
      borderRadius: '6px',
      background: 'var(--ground)',
      color: 'var(--text)',
      padding: '3px 8px',
      fontFamily: 'var(--font)',
    },
    '.cm-tooltip': {
      backgroundColor: 'var(--surface)',
      color: 'var(--text)',
      border: '1px solid var(--line)',
      borderRadius: '8px',
      overflow: 'hidden',
    },
    '.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', maxHeight: '280px' },
    '.cm-tooltip-autocomplete > ul > li': { padding: '3px 10px', lineHeight: '1.5' },
    '.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--accent-soft)', color: 'var(--text)' },
    '.cm-completionDetail': { fontStyle: 'normal', color: 'var(--quiet)', fontFamily: 'var(--font)' },
    '.cm-completionMatchedText': { textDecoration: 'none', color: 'var(--accent-text)' },
    '.cm-diagnostic': { padding: '6px 10px', fontFamily: 'var(--font)' },
    '.cm-diagnostic-error': { borderLeft: '3px solid var(--down)' },
    '.cm-diagnostic-warning': { borderLeft: '3px solid var(--warn)' },
    '.cm-diagnosticAction': { backgroundColor: 'var(--accent)', color: 'var(--on-accent)', borderRadius: '6px', padding: '2px 8px' },
    '.cm-chosen': { backgroundColor: 'var(--accent-soft)' },
  }),
  syntaxHighlighting(
    HighlightStyle.define([
      { tag: tags.propertyName, color: 'var(--info)' },
      { tag: tags.string, color: 'var(--up-text)' },
      { tag: [tags.number, tags.bool, tags.null], color: 'var(--accent-text)' },
      { tag: tags.separator, color: 'var(--quiet)' },
      { tag: [tags.squareBracket, tags.brace], color: 'var(--quiet)' },
    ]),
  ),
]

/** Lines that are indented deeper wrap as lines of this depth. */
const depthMax = 24
const depths = Array.from({ length: depthMax + 1 }, (_, depth) => depth)
const marks = depths.map((depth) => Decoration.line({ class: `cm-depth-${depth}` }))

/** Wraps long lines. A wrapped line is indented by two steps more than its first line. */
export const wrappedLines = [
  EditorView.lineWrapping,
  ViewPlugin.fromClass(
    class {
      lines: DecorationSet
      constructor(view: EditorView) {
        this.lines = linesOf(view)
      }
      update(update: ViewUpdate) {
        if (update.docChanged || update.viewportChanged) this.lines = linesOf(update.view)
      }
    },
    { decorations: ({ lines }) => lines },
  ),
  // The page's policy refuses style attributes, so each depth has a class.
  EditorView.theme(
    Object.fromEntries(
      depths.map((depth) => [`.cm-depth-${depth}`, { paddingLeft: `calc(${2 * depth + 4}ch + 6px)`, textIndent: `-${2 * depth + 4}ch` }]),
    ),
  ),
]

function linesOf({ state, visibleRanges }: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>()
  let next = 0
  for (const { from, to } of visibleRanges) {
    for (let at = Math.max(from, next); at <= to; at = next) {
      const line = state.doc.lineAt(at)
      const depth = Math.min(depthMax, Math.floor((/^ */.exec(line.text)?.[0].length ?? 0) / 2))
      builder.add(line.from, line.from, marks[depth] as Decoration)
      next = line.to + 1
    }
  }
  return builder.finish()
}
