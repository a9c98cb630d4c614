import { RangeSetBuilder } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view'

/** Deeper lines wrap as those of this depth do. */
const depthMax = 24
const depths = Array.from({ length: depthMax + 1 }, (_, depth) => depth)
const marks = depths.map((depth) => Decoration.line({ class: `cm-depth-${depth}` }))

/** Wraps long lines; what follows on the next line stands two steps to the right of where the line begins. */
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
  // The policy of the page allows no style attributes, so each depth has a class.
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
