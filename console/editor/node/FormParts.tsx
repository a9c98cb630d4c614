import { Plus } from 'lucide-react'
import { spoken } from '#console/editor/document/known.ts'
import { useEditing } from '#console/editor/document/useEditing.tsx'
import { newText } from '#console/editor/document/words-edit.rules.ts'
import styles from '#console/editor/node/Node.module.css'
import { freshName } from '#console/editor/tree/moves.rules.ts'
import { EntryButtons } from '#console/editor/values/EntryButtons.tsx'
import { FieldSet } from '#console/editor/values/Fields.tsx'
import { fieldsOf } from '#console/editor/values/fields.rules.ts'
import { useWords } from '#console/io/words.ts'
import { Button } from '#console/parts/Button.tsx'
import { isObject } from '#language/documents/json.ts'
import { below } from '#language/text/position.ts'
import type { JsonSchema } from '#language/types/catalog.ts'

/** A form has no page or at least two. */
const pagesMin = 2

/**
 * The groups or the pages of a form. Each gets an id of its own. The first press makes as many pages as a form needs and puts all fields on
 * the first; taking one of the last two away takes away both.
 */
export function FormParts({ name, schema }: { name: 'groups' | 'pages'; schema: JsonSchema }) {
  const say = useWords()
  const { doc, known, editable, setAll, remove, insert } = useEditing()
  const form = isObject(doc) ? doc : {}
  const written = form[name]
  const list = (Array.isArray(written) ? written : []).map((one) => (isObject(one) ? one : {}))
  const taken = new Set(list.map(({ id }) => String(id)))
  const one = name === 'pages' ? 'page' : 'group'
  const item = schema.properties?.[name]?.items ?? {}
  const fields = fieldsOf(item, schema).flatMap((field) => (field.name === 'id' ? [] : [{ ...field, help: '' }]))
  const fresh = () => {
    const id = freshName(one, taken)
    taken.add(id)
    return { id, title: newText(one === 'page' ? `Page ${taken.size}` : 'New group') }
  }
  const asked: unknown[] = Array.isArray(form.fields) ? form.fields : []
  const add = () => {
    if (list.length > 0) return insert({ list: `/${name}`, index: list.length }, fresh(), true)
    if (name === 'groups') return setAll([['/groups', [fresh()]]])
    const pages = Array.from({ length: pagesMin }, fresh)
    setAll([['/pages', pages], ...asked.map((_, i) => [`/fields/${i}/page`, pages[0]!.id] as const)])
  }
  const isLast = list.length <= (name === 'pages' ? pagesMin : 1)
  const takeAll = () => {
    const onPages = asked.flatMap((field, i) => (isObject(field) && field.page !== undefined ? [`/fields/${i}/page`] : []))
    remove(name === 'pages' ? ['/pages', ...onPages] : ['/groups'])
  }
  return (
    <div className={styles.parts}>
      {list.map((value, i) => {
        const pointer = below(`/${name}`, i)
        const title = spoken(value.title, known.words) || String(value.id ?? i + 1)
        return (
          <section key={String(value.id ?? i)} className={styles.part} aria-label={title}>
            <div className={styles.partHead}>
              <h3>{title}</h3>
              <EntryButtons
                pointer={pointer}
                isLast={i === list.length - 1}
                label={say('editor.take_out', { name: title })}
                {...(isLast && { onTakeOut: takeAll })}
              />
            </div>
            <FieldSet
              fields={fields}
              pointer={pointer}
              value={Object.fromEntries(fields.map((field) => [field.name, value[field.name]]))}
            />
          </section>
        )
      })}
      <div>
        <Button small icon={Plus} disabled={!editable} onClick={add}>
          {say(`fields.${one}_add`)}
        </Button>
      </div>
    </div>
  )
}
