import { useState } from 'react'
import { useEditing } from '#console/editor/document/useEditing.tsx'
import styles from '#console/editor/values/IconPicker.module.css'
import { useWords } from '#console/io/words.ts'
import { Dialog } from '#console/parts/Dialog.tsx'
import { type ControlProps, TextInput } from '#console/parts/Field.tsx'
import { Icon } from '#widgets/parts/look/Icon.tsx'

interface IconPickerProps {
  control: ControlProps
  name: string
  onChange(name: string): void
}

/** The icons of the app by their pictures; typing finds them by name. */
export function IconPicker({ control, name, onChange }: IconPickerProps) {
  const say = useWords()
  const { known, editable } = useEditing()
  const [open, setOpen] = useState(false)
  const [wanted, setWanted] = useState('')
  const found = known.catalog.icons.filter((one) => one.includes(wanted.trim().toLowerCase().replaceAll(' ', '-')))
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
