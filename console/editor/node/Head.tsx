import { useEditing } from '#console/editor/document/useEditing.tsx'
import styles from '#console/editor/node/Node.module.css'
import { ProblemLines } from '#console/editor/problems/Problems.tsx'
import { namesTaken } from '#console/editor/tree/moves.rules.ts'
import { useTyped } from '#console/editor/values/useTyped.ts'
import { widgetWords } from '#console/editor/words/widget-words.ts'
import { useWords } from '#console/io/words.ts'
import { Badge } from '#console/parts/Badge.tsx'
import { Field, TextInput } from '#console/parts/Field.tsx'
import type { LintProblem } from '#language/types/catalog.ts'

/** The heading of a node: its widget in words, and the problems that no part of its form shows. */
export function Head({ type, known, problems }: { type: string; known: boolean; problems: readonly LintProblem[] }) {
  const say = useWords()
  const { name, about } = widgetWords(say, type)
  return (
    <header className={styles.head}>
      <h2>
        {name} {!known && <Badge tone="bad">{say('editor.widget_unknown')}</Badge>}
      </h2>
      {about && <p className="quiet">{about}</p>}
      <ProblemLines problems={problems} />
    </header>
  )
}

/** The id of a node. Merges, reports and tests refer to it, so it is unique in its document. */
export function IdField({ pointer, id, name = 'id' }: { pointer: string; id: string; name?: string }) {
  const say = useWords()
  const { doc, set, editable } = useEditing()
  const [typed, type, sent] = useTyped(id)
  const taken = typed !== id && namesTaken(doc).has(typed)
  const wrong = !/^[A-Za-z_][A-Za-z0-9_-]{0,59}$/.test(typed)
  return (
    <Field label={say(`editor.${name}`)} error={taken ? say('editor.id_taken') : wrong ? say('editor.id_wrong') : undefined}>
      {(control) => (
        <TextInput
          {...control}
          className="mono"
          value={typed}
          disabled={!editable}
          onChange={(event) => {
            const next = event.target.value
            type(next)
            if (!/^[A-Za-z_][A-Za-z0-9_-]{0,59}$/.test(next) || (next !== id && namesTaken(doc).has(next))) return
            sent(next)
            set(pointer, next, 'id')
          }}
        />
      )}
    </Field>
  )
}
