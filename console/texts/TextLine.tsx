// biome-ignore-all lint/a11y/useSemanticElements: rows that are windowed are placed freely, which no table allows
// biome-ignore-all lint/a11y/useFocusableInteractive: heads and cells are no controls, their controls stand inside
import { Trash2 } from 'lucide-react'
import { memo, useEffect, useRef, useState } from 'react'
import { withWords } from '#console/editor/document/words-edit.rules.ts'
import { useWorkspace } from '#console/io/useWorkspace.ts'
import { consoleLanguages, useWords } from '#console/io/words.ts'
import { IconButton } from '#console/parts/Button.tsx'
import { useConfirm } from '#console/parts/dialog/Dialog.tsx'
import { useToast } from '#console/parts/Toast.tsx'
import styles from '#console/texts/Texts.module.css'
import { placeholdersOf, samePlaceholders, type TextRow } from '#console/texts/texts.rules.ts'
import { classes } from '#widgets/parts/look/classes.ts'

/** One key in all languages; a press on a cell edits it. */
export function TextLine({ row, index }: { row: TextRow; index: number }) {
  const say = useWords()
  const toast = useToast()
  const confirm = useConfirm()
  const { files, editable, edit, editAll, undo } = useWorkspace()
  const write = (language: string, words: string) => {
    try {
      const made = withWords(files, row.key, language, words)
      edit(made.path, made.text, `text ${row.key} ${language}`)
    } catch (error) {
      toast.bad(error)
    }
  }
  const remove = async () => {
    const sure = await confirm({
      title: say('review.texts.remove_title', { key: row.key }),
      text: say('review.texts.remove_text'),
      ok: say('review.texts.remove'),
      danger: true,
    })
    if (!sure) return
    try {
      const made = Object.keys(row.words).map((language) => withWords(files, row.key, language, undefined))
      editAll(Object.fromEntries(made.map(({ path, text }) => [path, text])))
      toast.good(say('review.texts.removed', { key: row.key }), { label: say('shell.undo'), run: undo })
    } catch (error) {
      toast.bad(error)
    }
  }
  return (
    <div role="row" aria-rowindex={index + 2} className={styles.row}>
      <div role="rowheader" className={styles.key}>
        <span>{row.key}</span>
        {editable && (
          <IconButton
            small
            tone="danger"
            label={say('review.texts.remove_label', { key: row.key })}
            icon={Trash2}
            onClick={() => void remove()}
          />
        )}
      </div>
      {consoleLanguages.map(({ id, label, tag }, column) => (
        <Cell
          key={id}
          row={index}
          column={column}
          name={`${row.key}, ${label}`}
          head={label}
          tag={tag}
          textKey={row.key}
          words={row.words[id]}
          base={row.model}
          missing={row.missing.includes(id)}
          changed={row.changed.includes(id)}
          stale={row.stale.includes(id)}
          editable={editable}
          write={(words) => write(id, words)}
        />
      ))}
    </div>
  )
}

interface CellProps {
  row: number
  column: number
  /** Native name of the language. */
  head: string
  name: string
  tag: string
  textKey: string
  words: string | undefined
  /** Text whose placeholders the cell must have. */
  base: string | undefined
  missing: boolean
  changed: boolean
  /** The base language has changed since this text was written. */
  stale: boolean
  editable: boolean
  write: (words: string) => void
}

const Cell = memo(function Cell({
  row,
  column,
  name,
  head,
  tag,
  textKey,
  words,
  base,
  missing,
  changed,
  stale,
  editable,
  write,
}: CellProps) {
  const say = useWords()
  const [typed, setTyped] = useState<string | null>(null)
  const area = useRef<HTMLTextAreaElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const back = useRef(false)
  const writing = typed !== null
  useEffect(() => {
    if (writing) {
      area.current?.focus()
      area.current?.select()
    } else if (back.current) {
      back.current = false
      button.current?.focus()
    }
  }, [writing])
  const now = typed ?? words ?? ''
  const odd = base !== undefined && now !== '' && !samePlaceholders(textKey, base, now)
  const end = (keep: boolean) => {
    if (typed === null) return
    if (keep && typed !== (words ?? '')) write(typed)
    setTyped(null)
  }
  const note = odd
    ? say('review.texts.odd', {
        names:
          placeholdersOf(base)
            .map((one) => `{{${one}}}`)
            .join(' ') || say('review.texts.no_names'),
      })
    : undefined
  return (
    <div role="cell" data-head={head} className={classes(styles.cell, changed && styles.changed, odd && styles.odd)}>
      {writing ? (
        <textarea
          ref={area}
          className={styles.area}
          lang={tag}
          aria-label={name}
          aria-invalid={odd || undefined}
          rows={Math.min(6, Math.max(2, Math.ceil(now.length / 22)))}
          maxLength={10_240}
          value={now}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={() => end(true)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') {
              back.current = true
              setTyped(null)
            } else if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
              event.preventDefault()
              back.current = true
              end(true)
            }
          }}
        />
      ) : (
        <button
          ref={button}
          type="button"
          className={styles.words}
          data-row={row}
          data-column={column}
          lang={tag}
          disabled={!editable}
          aria-label={`${name}: ${words || say('review.texts.missing')}`}
          onClick={() => setTyped(words ?? '')}
        >
          {words || <span className={missing ? styles.lack : 'quiet'}>{missing ? say('review.texts.missing') : '—'}</span>}
        </button>
      )}
      {note && <span className={styles.note}>{note}</span>}
      {stale && <span className={styles.note}>{say('review.texts.stale')}</span>}
    </div>
  )
})
