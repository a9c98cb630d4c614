import { useDeferredValue, useId, useMemo } from 'react'
import { Link, useParams } from 'react-router-dom'
import { readTexts, sourcesOf } from '#console/editor/document/read.ts'
import styles from '#console/editor/list/Documents.module.css'
import { useWorkspace } from '#console/io/useWorkspace.ts'
import { useWords } from '#console/io/words.ts'
import { Field } from '#console/parts/Field.tsx'
import { SearchInput } from '#console/parts/SearchInput.tsx'
import { whereUsed } from '#language/edit/where-used.ts'

/** Which documents name a document, widget, call, route, icon or text key. */
export function WhereUsed({ word, onWord }: { word: string; onWord(word: string): void }) {
  const say = useWords()
  const { id } = useParams()
  const { files, catalog } = useWorkspace()
  const list = useId()
  const sources = useMemo(() => sourcesOf(files), [files])
  const names = useMemo(() => {
    const texts = readTexts(files)
    const keys = Object.entries(texts.en ?? {}).flatMap(([area, words]) => Object.keys(words).map((key) => `${area}.${key}`))
    return [
      ...sources.map(({ doc }) => doc.id),
      ...(catalog?.widgets.map(({ type }) => type) ?? []),
      ...(catalog?.calls.map(({ name }) => name) ?? []),
      ...(catalog?.icons ?? []),
      ...keys,
    ]
  }, [sources, catalog, files])
  const wanted = useDeferredValue(word.trim())
  const uses = useMemo(() => (wanted === '' || !catalog ? [] : whereUsed(sources, wanted, catalog)), [sources, wanted, catalog])
  const near = useMemo(
    () => (wanted.length < 2 ? [] : [...new Set(names)].filter((name) => name.toLowerCase().includes(wanted.toLowerCase())).slice(0, 40)),
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
          {uses.length === 0
            ? say('editor.uses_none', { name: wanted })
            : say('editor.uses_count', { count: uses.length, documents: count })}
        </p>
      )}
      <ul className={styles.uses}>
        {uses.map((use) => (
          <li key={`${use.file} ${use.pointer}`}>
            <Link className={styles.use} to={`/draft/${id}/document/${use.file}?at=${encodeURIComponent(use.pointer)}`}>
              <span>{use.document}</span>
              <span className="quiet mono">
                {use.pointer} · {say('editor.line', { line: use.line })}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
