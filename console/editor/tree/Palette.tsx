import { useMemo, useState } from 'react'
import { useEditing } from '#console/editor/document/useEditing.tsx'
import { newText } from '#console/editor/document/words-edit.rules.ts'
import { freshName, mayStand, namesTaken, placesFor, type Taking, takingOf } from '#console/editor/tree/moves.rules.ts'
import styles from '#console/editor/tree/Palette.module.css'
import { paletteOf } from '#console/editor/tree/palette.rules.ts'
import { type Place, rowAt, rowsOf, type TreeRow, type Widgets } from '#console/editor/tree/rows.rules.ts'
import { labelOf, startOfAll } from '#console/editor/values/fields.rules.ts'
import { widgetWords } from '#console/editor/words/widget-words.ts'
import { useWords } from '#console/io/words.ts'
import { Dialog } from '#console/parts/dialog/Dialog.tsx'
import { Field, Select } from '#console/parts/Field.tsx'
import { SearchList } from '#console/parts/SearchList.tsx'
import { searchForm } from '#contract/text.ts'
import { isObject } from '#language/documents/json.ts'
import { type FieldType, usualWidgets } from '#language/text/shorthand.ts'

interface PaletteProps {
  row: TreeRow | undefined
  widgets: Widgets
  onClose(): void
}

/** The widgets that can be added, each with a sentence. Those that fit the position come first. */
export function Palette({ row, widgets, onClose }: PaletteProps) {
  const say = useWords()
  const { doc, known, insert } = useEditing()
  const places = useMemo(() => placesFor(doc, widgets, row), [doc, widgets, row])
  const rows = useMemo(() => rowsOf(doc, widgets), [doc, widgets])
  const [chosen, setChosen] = useState(0)
  const [wanted, setWanted] = useState('')
  const place = places[chosen] ?? places[0]
  const isForm = place?.list === '/fields'
  const options = paletteOf(known.catalog.widgets, (type) => widgetWords(say, type), wanted, isForm).map((option) => ({
    ...option,
    fits: place ? mayStand(doc, widgets, place.list, option.type) === null : false,
  }))
  const fragments = isForm ? [] : (known.names.fragment ?? []).filter((name) => searchForm(name).includes(searchForm(wanted.trim())))

  const add = (type: string) => {
    if (!place) return
    const props = startOfAll(widgets.get(type)?.props ?? {})
    const taken = namesTaken(doc)
    const name = isForm ? freshName(type.replace(/-field$/, '').replaceAll('-', '_'), taken, '_') : freshName(type, taken)
    insert(
      place,
      isForm
        ? {
            name,
            ...typeAndWidget(type),
            label: { $t: '' },
            ...pageAt(doc, place),
            // Rows have at least one field.
            ...(type === 'rows-field' && { fields: [{ name: 'field', type: 'string', label: newText('New text field') }] }),
            ...(Object.keys(props).length > 0 && { props }),
          }
        : { id: name, widget: type, ...(Object.keys(props).length > 0 && { props }) },
    )
    onClose()
  }
  const use = (fragment: string) => {
    if (!place) return
    const given = startOfAll(known.params[`fragment/${fragment}`] ?? {})
    insert(place, { use: fragment, ...(Object.keys(given).length > 0 && { with: given }) })
    onClose()
  }
  const fitting = options.filter(({ fits }) => fits)
  const others = options.filter(({ fits }) => !fits)
  return (
    <Dialog open onClose={onClose} title={say(isForm ? 'editor.add_field' : 'editor.add_node')} wide>
      <Field label={say('editor.add_where')}>
        {(control) => (
          <Select
            {...control}
            value={String(chosen)}
            choices={places.map((one, i) => ({ value: String(i), label: placeName(say, one, takingOf(doc, one.list, widgets), rows) }))}
            onChoose={(next) => setChosen(Number(next))}
          />
        )}
      </Field>
      <SearchList
        cards
        label={say('editor.add_search')}
        wanted={wanted}
        onWanted={setWanted}
        nothing={say(others.length > 0 ? 'editor.add_nothing_here' : 'editor.add_nothing')}
        rows={[
          ...fitting.map(({ type, name, about }) => ({ key: type, title: name, about, choose: () => add(type) })),
          ...fragments.map((name) => ({
            key: `use ${name}`,
            title: say('editor.fragment_of', { name }),
            about: say('editor.fragment_about'),
            choose: () => use(name),
          })),
        ]}
      >
        {others.length > 0 && (
          <details className={styles.others}>
            <summary>{say('editor.add_others', { count: others.length })}</summary>
            <p className="quiet">{others.map(({ name }) => name).join(', ')}</p>
          </details>
        )}
      </SearchList>
    </Dialog>
  )
}

/** The page of a new field: that of the field before it, else the first. */
function pageAt(doc: unknown, place: Place): { page?: unknown } {
  if (!isObject(doc) || !Array.isArray(doc.pages)) return {}
  const before: unknown = Array.isArray(doc.fields) ? doc.fields[place.index - 1] : undefined
  const page: unknown = (isObject(before) ? before.page : undefined) ?? doc.pages[0]?.id
  return page === undefined ? {} : { page }
}

/** Type of the field for each widget that is not the default widget of its type; all other widgets hold text. */
const otherWidgets: Readonly<Record<string, FieldType>> = {
  'switch-field': 'boolean',
  'slider-field': 'decimal',
  'segmented-field': 'enum',
}

/** The type of a field for a widget, and the widget where it is not the default of that type. */
function typeAndWidget(widget: string): { type: FieldType; widget?: string } {
  const usual = (Object.keys(usualWidgets) as FieldType[]).find((type) => usualWidgets[type] === widget)
  return usual ? { type: usual } : { type: otherWidgets[widget] ?? 'string', widget }
}

function placeName(say: ReturnType<typeof useWords>, place: Place, taking: Taking | null, rows: readonly TreeRow[]): string {
  const before = place.index > 0 ? rows.find(({ pointer }) => pointer === `${place.list}/${place.index - 1}`) : undefined
  const slot = labelOf(taking?.slot ?? '')
  if (before && rowAt(rows, place.list) !== before) return say('editor.place_after', { name: before.name, slot })
  const owner = rows.find(({ pointer }) => pointer === taking?.owner)
  return owner ? say('editor.place_inside', { name: owner.name, slot }) : say('editor.place_top')
}
