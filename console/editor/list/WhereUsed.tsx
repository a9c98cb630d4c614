import { useDeferredValue, useId, useMemo } from 'react'
import { readTexts } from '#console/editor/document/read.ts'
import styles from '#console/editor/list/Documents.module.css'
import { UseLinks, useUnsure } from '#console/editor/list/Uses.tsx'
import { useWorkspace } from '#console/io/useWorkspace.ts'
import { useWords } from '#console/io/words.ts'
import { Field } from '#console/parts/Field.tsx'
import { SearchInput } from '#console/parts/SearchInput.tsx'
import { searchForm } from '#contract/text.ts'
import { whereUsed } from '#language/edit/where-used.ts'

/** Which documents name a document, widget, call, route, icon or text key. */
export function WhereUsed({ word, onWord }: { word: string; onWord(word: string): void }) {
  const say = useWords()
  const { files, catalog, sources } = useWorkspace()
  const unsure = useUnsure()
  const list = useId()
  const names = useMemo(() => {
    const texts = readTexts(files)
    const keys = Object.entries(texts.en ?? {}).flatMap(([area, words]) => Object.keys(words).map((key) => `${area}.${key}`))
    return [
      ...(sources ?? []).map(({ doc }) => doc.id),
      ...(catalog?.widgets.map(({ type }) => type) ?? []),
      ...(catalog?.calls.map(({ name }) => name) ?? []),
      ...(catalog?.icons ?? []),
      ...keys,
    ]
  }, [sources, catalog, files])
  const wanted = useDeferredValue(word.trim())
  const uses = useMemo(() => (wanted === '' || !catalog || !sources ? [] : whereUsed(sources, wanted, catalog)), [sources, wanted, catalog])
  const near = useMemo(
    () => (wanted.length < 2 ? [] : [...new Set(names)].filter((name) => searchForm(name).includes(searchForm(wanted))).slice(0, 40)),
    [names, wanted],
  )
  const count = new Set(uses.map(({ file }) => file)).size
  return (
    <div className={styles.list}>
      <Field label={say('editor.uses_of')} help={say('editor.uses_help')}>
        {(control) => <SearchInput {...control} className="mono" list={list} value={word} onSearch={onWord} />}
      </Field>
      <datalist id={list}>
        {near.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {wanted !== '' && (
        <p role="status" className="quiet">
          {uses.length > 0 && say('editor.uses_count', { count: uses.length, documents: count })}
          {uses.length === 0 && unsure === undefined && say('editor.uses_none', { name: wanted })} {unsure}
        </p>
      )}
      <UseLinks uses={uses} />
    </div>
  )
}
