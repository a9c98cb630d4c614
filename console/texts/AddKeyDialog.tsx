import { useState } from 'react'
import { refuseKey, withWords } from '#console/editor/document/words-edit.rules.ts'
import { useWorkspace } from '#console/io/useWorkspace.ts'
import { consoleLanguages, useWords } from '#console/io/words.ts'
import { Button } from '#console/parts/Button.tsx'
import { Dialog } from '#console/parts/dialog/Dialog.tsx'
import { Field, Select, TextInput } from '#console/parts/Field.tsx'
import { useToast } from '#console/parts/Toast.tsx'
import styles from '#console/texts/Texts.module.css'
import { samePlaceholders, type TextRow } from '#console/texts/texts.rules.ts'

interface AddKeyProps {
  areas: readonly string[]
  /** The selected area. */
  area: string
  rows: readonly TextRow[]
  baseLanguage: string
  onClose: () => void
  onAdded: (key: string) => void
}

/** Adds a key with its texts, as one undo step. */
export function AddKeyDialog({ areas, area: shown, rows, baseLanguage, onClose, onAdded }: AddKeyProps) {
  const say = useWords()
  const toast = useToast()
  const { files, editAll } = useWorkspace()
  const [area, setArea] = useState(shown || (areas[0] ?? ''))
  const [name, setName] = useState('')
  const [words, setWords] = useState<Record<string, string>>({})
  const key = `${area}.${name.trim()}`
  const refused = name === '' ? null : refuseKey(key, Object.fromEntries(rows.map((row) => [row.key, row.key])))
  const base = words[baseLanguage] ?? ''
  const add = () => {
    try {
      const made = consoleLanguages.flatMap(({ id }) => (words[id] ? [withWords(files, key, id, words[id])] : []))
      editAll(Object.fromEntries(made.map(({ path, text }) => [path, text])))
      onClose()
      onAdded(key)
    } catch (error) {
      toast.bad(error)
    }
  }
  const order = [...consoleLanguages].sort((a, b) => Number(b.id === baseLanguage) - Number(a.id === baseLanguage))
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={say('review.texts.add')}
      foot={
        <>
          <Button onClick={onClose}>{say('shell.cancel')}</Button>
          <Button tone="primary" disabled={name.trim() === '' || refused !== null || base === ''} onClick={add}>
            {say('review.texts.add_ok')}
          </Button>
        </>
      }
    >
      <div className={styles.pair}>
        <Field label={say('review.texts.area')}>
          {(field) => <Select {...field} value={area} onChoose={setArea} choices={areas.map((value) => ({ value, label: value }))} />}
        </Field>
        <Field
          label={say('review.texts.name')}
          help={say('review.texts.name_help')}
          error={refused ? say(`review.texts.refused_${refused}`) : undefined}
        >
          {(field) => <TextInput {...field} maxLength={80} value={name} onChange={(event) => setName(event.target.value)} />}
        </Field>
      </div>
      <div className={styles.pair}>
        {order.map(({ id, label, tag }) => {
          const odd = id !== baseLanguage && words[id] && base && !samePlaceholders(key, base, words[id])
          return (
            <Field key={id} label={label} error={odd ? say('review.texts.odd_short') : undefined}>
              {(field) => (
                <TextInput
                  {...field}
                  lang={tag}
                  spellCheck
                  maxLength={10_240}
                  value={words[id] ?? ''}
                  onChange={(event) => setWords({ ...words, [id]: event.target.value })}
                />
              )}
            </Field>
          )
        })}
      </div>
      <p className="quiet">{say('review.texts.later')}</p>
    </Dialog>
  )
}
