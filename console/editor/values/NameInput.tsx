import { useId, useState } from 'react'
import { spoken } from '#console/editor/document/known.ts'
import { useEditing } from '#console/editor/document/useEditing.tsx'
import { namesOf } from '#console/editor/json/completion.rules.ts'
import type { NameKind } from '#console/editor/values/fields.rules.ts'
import styles from '#console/editor/values/NameInput.module.css'
import { useWords } from '#console/io/words.ts'
import { Dialog } from '#console/parts/dialog/Dialog.tsx'
import { type ControlProps, Select, TextInput } from '#console/parts/Field.tsx'
import { searchForm } from '#contract/text.ts'
import { isObject } from '#language/documents/json.ts'
import { Icon } from '#widgets/parts/look/Icon.tsx'

interface NameInputProps {
  control: ControlProps
  of: NameKind
  name: string
  onChange(name: string): void
}
const fewMax = 40

/** Picks an existing name: an icon by its picture, every other name from a searchable list. */
export function NameInput({ control, of, name, onChange }: NameInputProps) {
  const { known, doc, editable } = useEditing()
  const list = useId()
  if (of === 'icon') return <IconPicker control={control} name={name} onChange={onChange} />
  const names = isObject(doc) ? namesOf(doc, of, known) : []
  if (names.length <= fewMax && of !== 'route') {
    const choices = [...(names.includes(name) ? [] : [name]), ...names].map((value) => ({ value, label: value || '–' }))
    return <Select {...control} value={name} choices={choices} onChoose={onChange} disabled={!editable} />
  }
  return (
    <>
      <TextInput
        {...control}
        className="mono"
        value={name}
        list={list}
        disabled={!editable}
        onChange={(event) => onChange(event.target.value.trim())}
      />
      <datalist id={list}>
        {names.map((one) => (
          <option key={one} value={one}>
            {of === 'route'
              ? known.screenOf[one]
              : of === 'call' || of === 'read'
                ? spoken(known.catalog.calls.find((call) => call.name === one)?.summary, {})
                : ''}
          </option>
        ))}
      </datalist>
    </>
  )
}

interface IconPickerProps {
  control: ControlProps
  name: string
  onChange(name: string): void
}

/** Picks an icon of the app from pictures; typing filters by name. */
function IconPicker({ control, name, onChange }: IconPickerProps) {
  const say = useWords()
  const { known, editable } = useEditing()
  const [open, setOpen] = useState(false)
  const [wanted, setWanted] = useState('')
  const found = known.catalog.icons.filter((one) => one.includes(searchForm(wanted.trim()).replaceAll(' ', '-')))
  return (
    <>
      <button {...control} type="button" className={styles.chosen} disabled={!editable} onClick={() => setOpen(true)}>
        {name ? <Icon name={name} size={18} /> : null}
        <span className="mono">{name || say('editor.icon_none')}</span>
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} title={say('editor.icon_choose')} wide>
        <TextInput
          aria-label={say('editor.icon_search')}
          placeholder={say('editor.icon_search')}
          value={wanted}
          onChange={(event) => setWanted(event.target.value)}
        />
        {found.length === 0 && <p className="quiet">{say('editor.icon_nothing')}</p>}
        <ul className={styles.grid}>
          {found.map((one) => (
            <li key={one}>
              <button
                type="button"
                className={styles.icon}
                aria-pressed={one === name}
                onClick={() => {
                  onChange(one)
                  setOpen(false)
                }}
              >
                <Icon name={one} size={22} />
                <span>{one}</span>
              </button>
            </li>
          ))}
        </ul>
      </Dialog>
    </>
  )
}
