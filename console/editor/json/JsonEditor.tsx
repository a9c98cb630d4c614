import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { bracketMatching, codeFolding, foldGutter, foldKeymap, indentOnInput, indentUnit } from '@codemirror/language'
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState, StateEffect, StateField } from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { pointerOf } from '#console/editor/document/pointer.ts'
import { type Editing, useEditing } from '#console/editor/document/useEditing.tsx'
import { completionsAt } from '#console/editor/json/completion.rules.ts'
import { look, wrappedLines } from '#console/editor/json/extensions.ts'
import styles from '#console/editor/json/JsonEditor.module.css'
import { useProblemWords } from '#console/editor/problems/useProblems.ts'
import { useWords } from '#console/io/words.ts'
import { pointerAt, rangeOf } from '#language/edit/edit.ts'
import { applySuggestion } from '#language/edit/suggestion.ts'
import { problemRange } from '#language/text/problem-range.ts'

const setChosen = StateEffect.define<{ from: number; to: number } | null>()
/** Highlights the lines of the node that is selected in the tree. */
const chosenLines = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(lines, transaction) {
    let next = lines.map(transaction.changes)
    for (const effect of transaction.effects) {
      if (!effect.is(setChosen)) continue
      const { doc } = transaction.state
      const range = effect.value
      const marks = []
      if (range)
        for (let at = doc.lineAt(range.from).number; at <= doc.lineAt(Math.min(range.to, doc.length)).number; at += 1)
          marks.push(Decoration.line({ class: 'cm-chosen' }).range(doc.line(at).from))
      next = Decoration.set(marks)
    }
    return next
  },
  provide: (field) => EditorView.decorations.from(field),
})

const writable = new Compartment()

/** The text of the file. Typing changes the draft at once, and changes from the forms and the tree appear here. */
export function JsonEditor() {
  const say = useWords()
  const { messageOf } = useProblemWords()
  const editing = useEditing()
  const { text, path, problems, selected, workspace } = editing
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const latest = useRef<Editing>(editing)
  latest.current = editing
  const label = say('editor.json_of', { path })

  // biome-ignore lint/correctness/useExhaustiveDependencies: one editor per file; everything else is read when it is needed
  useEffect(() => {
    const element = host.current
    if (!element) return
    // The page's policy refuses style elements. In a shadow root the editor uses adopted style sheets, which are allowed.
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' })
    root.replaceChildren()
    const made = new EditorView({
      parent: root,
      root,
      state: EditorState.create({ doc: latest.current.text, extensions: extensions(label, latest) }),
    })
    view.current = made
    return () => {
      made.destroy()
      view.current = null
    }
  }, [path, label])

  useEffect(() => {
    const made = view.current
    if (!made) return
    const before = made.state.doc.toString()
    if (before !== text) made.dispatch({ changes: difference(before, text), annotations: [] })
    made.dispatch({ effects: writable.reconfigure(EditorState.readOnly.of(!workspace.editable)) })
  }, [text, workspace.editable])

  useEffect(() => {
    const made = view.current
    if (!made) return
    const range = selected === '' ? undefined : rangeOf(text, selected)
    made.dispatch({ effects: setChosen.of(range ?? null) })
    if (!range || made.hasFocus) return
    made.dispatch({ effects: EditorView.scrollIntoView(range.from, { y: 'start', yMargin: 60 }) })
  }, [selected, text])

  useEffect(() => {
    const made = view.current
    if (!made || made.state.doc.toString() !== text) return
    const found = problems.map((problem): Diagnostic => {
      const { from, to } = problemRange(text, problem)
      const next = applySuggestion(text, problem)
      return {
        from,
        to,
        severity: problem.severity === 'error' ? 'error' : 'warning',
        message: messageOf(problem),
        ...(next !== undefined && {
          actions: [
            { name: say('editor.did_you_mean', { name: problem.suggestion }), apply: () => latest.current.workspace.edit(path, next) },
          ],
        }),
      }
    })
    made.dispatch(setDiagnostics(made.state, found))
  }, [problems, text, path, say, messageOf])

  return <div ref={host} className={styles.host} />
}

function extensions(label: string, latest: React.RefObject<Editing>) {
  return [
    writable.of(EditorState.readOnly.of(!latest.current.workspace.editable)),
    lineNumbers(),
    foldGutter(),
    codeFolding(),
    lintGutter(),
    history(),
    drawSelection(),
    indentUnit.of('  '),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    highlightSelectionMatches(),
    search({ top: true }),
    json(),
    chosenLines,
    autocompletion({ override: [(context) => completed(context, latest.current)], icons: false, maxRenderedOptions: 60 }),
    keymap.of([
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...foldKeymap,
      ...defaultKeymap,
      indentWithTab,
    ]),
    wrappedLines,
    EditorView.contentAttributes.of({ 'aria-label': label }),
    look,
    EditorView.updateListener.of((update) => {
      const { workspace, path, text, selected, select } = latest.current
      const now = update.state.doc.toString()
      if (update.docChanged && now !== text) workspace.edit(path, now, `json ${path}`)
      if (!update.selectionSet || update.docChanged || !update.view.hasFocus) return
      const pointer = pointerAt(now, update.state.selection.main.head)
      if (pointer !== selected) select(pointer)
    }),
  ]
}

/** The smallest change from one text to the other, so that the cursor and folds around it stay. */
function difference(before: string, after: string): { from: number; to: number; insert: string } {
  let from = 0
  const shorter = Math.min(before.length, after.length)
  while (from < shorter && before[from] === after[from]) from += 1
  let end = 0
  while (end < shorter - from && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1
  return { from, to: before.length - end, insert: after.slice(from, after.length - end) }
}

function completed(context: CompletionContext, { known, pathsAt }: Editing): CompletionResult | null {
  const text = context.state.doc.toString()
  const found = completionsAt(text, context.pos, known, (path, typed) => pathsAt(pointerOf(path), typed))
  if (!found || found.items.length === 0) return null
  const typed = text.slice(found.from, context.pos)
  if (!context.explicit && typed === '' && text[context.pos - 1] !== '"') return null
  const { start, end } = found
  return {
    from: found.from,
    // A new completion starts after each dot.
    validFor: (now) => /^[\w.$\-/ @=]*$/.test(now) && now.lastIndexOf('.') === typed.lastIndexOf('.'),
    options: found.items.map(({ label, detail, insert }) => ({
      label,
      detail: detail.length > 60 ? `${detail.slice(0, 58)}…` : detail,
      apply(view, _completion, _from, to) {
        const until = Math.max(to, end + (to - context.pos))
        const rest =
          insert.endsWith('""') || insert.endsWith('"@"') || insert.endsWith('[]') || insert.endsWith('{}')
            ? insert.length - 1
            : insert.endsWith('" }')
              ? insert.length - 3
              : insert.length
        view.dispatch({ changes: { from: start, to: until, insert }, selection: { anchor: start + rest }, userEvent: 'input.complete' })
      },
    })),
  }
}
