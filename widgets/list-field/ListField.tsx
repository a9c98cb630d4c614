import { type ChangeEvent, type KeyboardEvent, useRef, useState } from 'react'
import { type FieldGiven, useEngineText, useField, type ViewProps } from '#renderer/widget-api.ts'
import styles from '#widgets/list-field/ListField.module.css'
import type { ListFieldProps } from '#widgets/list-field/list-field.props.ts'
import { chosen, moveEntry, pickable, sent } from '#widgets/list-field/order.rules.ts'
import { FieldFrame } from '#widgets/parts/fields/FieldFrame.tsx'
import frame from '#widgets/parts/fields/field.module.css'
import { asText } from '#widgets/parts/fields/fieldValue.ts'
import { classes } from '#widgets/parts/look/classes.ts'
import { Icon } from '#widgets/parts/look/Icon.tsx'
import { PushButton } from '#widgets/parts/PushButton.tsx'

const entriesMax = 50
const asList = (value: unknown): string[] => (Array.isArray(value) ? value.map(asText).filter((one) => one !== '') : [])

/** An ordered list of short texts or options. In texts Enter adds one, Backspace removes an empty one, Alt with an arrow moves it. */
export function ListField({ root, props }: ViewProps<ListFieldProps & FieldGiven>) {
  const field = useField()
  const say = useEngineText()
  const { maxLength = 200, placeholder, options } = props
  const most = Math.min(Number(props.max) || entriesMax, entriesMax, options?.length ?? entriesMax)
  const own = useRef<readonly string[]>(undefined)
  const [entries, setEntries] = useState<readonly string[]>(() => asList(field.get()))
  const [status, tell] = useState('')
  const focus = useRef<number>(undefined)
  const list = useRef<HTMLOListElement>(null)
  // The form has changed the value, for example by a reset.
  const held = field.get()
  if (own.current !== undefined && held !== own.current) {
    own.current = undefined
    setEntries(asList(held))
  }
  const write = (next: readonly string[], at?: number) => {
    setEntries(next)
    const value = options ? chosen(sent(next), options) : sent(next)
    field.set(value)
    own.current = field.get() as readonly string[]
    focus.current = at
  }
  const add = (after = entries.length - 1) => {
    if (entries.length >= most) return
    write(entries.toSpliced(after + 1, 0, ''), after + 1)
  }
  const remove = (at: number) => {
    write(entries.toSpliced(at, 1), Math.max(0, at - 1))
    tell(say('widget.list_removed', { n: at + 1 }))
  }
  const move = (from: number, to: number) => {
    const next = moveEntry(entries, from, to)
    if (next === entries) return
    write(next, to)
    tell(say('widget.list_moved', { n: to + 1 }))
  }
  const key = (event: KeyboardEvent<HTMLInputElement>, at: number) => {
    if (event.nativeEvent.isComposing) return
    const arrow = event.altKey && (event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0)
    const empty = event.key === 'Backspace' && event.currentTarget.value === ''
    if (event.key !== 'Enter' && !arrow && !empty) return
    event.preventDefault()
    if (arrow) move(at, at + arrow)
    else if (empty) remove(at)
    else add(at)
  }
  const control = (at: number, name: string) => ({
    id: at === 0 ? field.id : undefined,
    ref: (element: HTMLElement | null) => {
      if (at === 0) field.focusRef(element)
      if (!element || focus.current !== at) return
      focus.current = undefined
      element.focus()
    },
    'aria-label': name,
    disabled: !field.enabled,
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLSelectElement>) => write(entries.with(at, event.target.value)),
    onBlur: field.blur,
  })
  return (
    <FieldFrame root={root} field={field} group aside={props.max !== undefined && <Count n={sent(entries).length} max={most} />}>
      <ol ref={list} className={styles.list}>
        {entries.map((entry, i) => {
          const name = say('widget.list_entry', { label: field.label, n: i + 1 })
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: an entry is its place
            <li key={i} className={frame.box}>
              {options && <Icon name="chevron-down" size={18} className={styles.arrow} />}
              {options ? (
                <select {...control(i, name)} className={classes(frame.inner, styles.pick)} value={entry}>
                  {entry === '' && <option value="">{placeholder ?? say('widget.pick')}</option>}
                  {pickable(entries, i, options).map((option) => (
                    <option key={option.id} value={option.id}>
                      {option.label}
                    </option>
                  ))}
                </select>
              ) : (
                <input
                  {...control(i, name)}
                  type="text"
                  className={frame.inner}
                  autoComplete="off"
                  maxLength={maxLength}
                  placeholder={placeholder}
                  value={entry}
                  onKeyDown={(event) => key(event, i)}
                />
              )}
              <Tool icon="arrow-up" label={say('widget.list_up', { name })} on={field.enabled && i > 0} press={() => move(i, i - 1)} />
              <Tool
                icon="arrow-down"
                label={say('widget.list_down', { name })}
                on={field.enabled && i < entries.length - 1}
                press={() => move(i, i + 1)}
              />
              <Tool icon="x" label={say('widget.list_remove', { name })} on={field.enabled} press={() => remove(i)} />
            </li>
          )
        })}
      </ol>
      <div>
        <PushButton
          root={entries.length === 0 ? { id: field.id, ref: field.focusRef } : {}}
          label={say('widget.list_add')}
          size="sm"
          icon="plus"
          enabled={field.enabled && entries.length < most}
          onPress={() => add()}
        />
      </div>
      <span className="visually-hidden" role="status">
        {status}
      </span>
    </FieldFrame>
  )
}

function Count({ n, max }: { n: number; max: number }) {
  return (
    <span className={classes('num', frame.count)} aria-hidden="true">
      {n}/{max}
    </span>
  )
}

function Tool({ icon, label, on, press }: { icon: string; label: string; on: boolean; press: () => void }) {
  return (
    <button type="button" className={classes('pressable', frame.tool, styles.tool)} aria-label={label} disabled={!on} onClick={press}>
      <Icon name={icon} size={18} />
    </button>
  )
}
