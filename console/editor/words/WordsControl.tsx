import { Languages, Plus, Search } from 'lucide-react'
import { useId, useMemo, useState } from 'react'
import { readDocuments } from '#console/editor/document/read.ts'
import { formsOf, lacksWords } from '#console/editor/document/text-forms.rules.ts'
import { useEditing } from '#console/editor/document/useEditing.tsx'
import { areaFor, proposedKey, refuseKey, usesOfKey } from '#console/editor/document/words-edit.rules.ts'
import { inWords, titleOf } from '#console/editor/list/entries.rules.ts'
import { PlainField } from '#console/editor/values/PlainField.tsx'
import styles from '#console/editor/words/WordsControl.module.css'
import { languageShown, WordsLines, WordsRow } from '#console/editor/words/WordsLines.tsx'
import { useWords } from '#console/io/words.ts'
import { Button } from '#console/parts/Button.tsx'
import { type ControlProps, Field, TextInput } from '#console/parts/Field.tsx'
import { SearchInput } from '#console/parts/SearchInput.tsx'
import { searchForm } from '#contract/text.ts'
import { isObject } from '#language/documents/json.ts'

interface WordsControlProps {
  control: ControlProps
  pointer: string
  /** `{"$t": key, …arguments}` */
  value: Record<string, unknown>
  onChange(value: unknown): void
}

/** Edits the text of a key. A change applies in each language to all places that show the text. */
export function WordsControl({ control, pointer, value, onChange }: WordsControlProps) {
  const say = useWords()
  const { known, editable, path, separate, workspace } = useEditing()
  const key = typeof value.$t === 'string' ? value.$t : ''
  const [mode, setMode] = useState<'words' | 'pick' | 'fresh'>(key === '' ? 'pick' : 'words')
  const [all, setAll] = useState(false)
  /** The shared key whose text may be changed in all places. */
  const [everywhere, setEverywhere] = useState<string | null>(null)
  const docs = useMemo(() => readDocuments(workspace.files), [workspace.files])
  const others = useMemo(
    () => (key === '' ? [] : usesOfKey(docs, key).filter((use) => use.file !== path || use.pointer !== pointer)),
    [docs, key, path, pointer],
  )
  const asks = others.length > 0 && everywhere !== key
  const missing = known.languages.filter((lng) => key !== '' && lacksWords(known.texts, known.languages, lng, value))
  const main = known.languages.includes('en') ? 'en' : (known.languages[0] ?? 'en')
  const wanted = formsOf(known.texts, known.languages, main, value).map((form) => known.words[form] ?? '')
  const names = [...new Set([...placeholders(wanted.join(' ')), ...Object.keys(value).filter((name) => name !== '$t')])]
  const take = (next: string) => {
    onChange({ ...value, $t: next })
    setMode('words')
  }
  return (
    <div className={styles.words}>
      {mode === 'words' && key !== '' ? (
        <>
          <WordsLines control={control} value={value} fixed={asks} language={all ? main : languageShown(known, value, main)} />
          {others.length > 0 && (
            <div className={styles.words}>
              <p className="quiet">
                {say('editor.words_shared', { count: others.length })} {placesInWords(docs, others, known.words)}
              </p>
              {asks && (
                <div className={styles.line}>
                  <Button small disabled={!editable} onClick={() => setEverywhere(key)}>
                    {say('editor.words_everywhere')}
                  </Button>
                  <Button small disabled={!editable} onClick={() => separate(pointer)}>
                    {say('editor.words_here')}
                  </Button>
                </div>
              )}
            </div>
          )}
          {all && (
            <div className={styles.languages}>
              {known.languages
                .filter((lng) => lng !== main)
                .map((lng) => (
                  <WordsRow key={lng} value={value} fixed={asks} language={lng} />
                ))}
            </div>
          )}
          <div className={styles.line}>
            <button
              type="button"
              className={styles.key}
              onClick={() => setMode('pick')}
              disabled={!editable}
              title={say('editor.words_other')}
            >
              {key}
            </button>
            <Button small tone="quiet" icon={Languages} aria-expanded={all} onClick={() => setAll(!all)}>
              {missing.length > 0
                ? say('editor.words_missing', { count: missing.length })
                : say('editor.words_all', { count: known.languages.length })}
            </Button>
            <Button small tone="quiet" icon={Plus} disabled={!editable} onClick={() => setMode('fresh')}>
              {say('editor.words_new')}
            </Button>
          </div>
        </>
      ) : mode === 'fresh' ? (
        <FreshWords control={control} done={take} cancel={() => setMode(key === '' ? 'pick' : 'words')} />
      ) : (
        <>
          <KeyPicker control={control} chosen={key} take={take} />
          <div className={styles.line}>
            {key !== '' && (
              <Button small tone="quiet" onClick={() => setMode('words')}>
                {say('editor.back')}
              </Button>
            )}
            <Button small icon={Plus} disabled={!editable} onClick={() => setMode('fresh')}>
              {say('editor.words_new')}
            </Button>
          </div>
        </>
      )}
      {names.length > 0 && mode === 'words' && (
        <div className={styles.args}>
          {names.map((name) => (
            <PlainField
              key={name}
              label={name}
              pointer={`${pointer}/${name}`}
              value={value[name]}
              onChange={(next) => onChange(next === undefined ? without(value, name) : { ...value, [name]: next })}
            />
          ))}
        </div>
      )}
    </div>
  )
}

function without(value: Record<string, unknown>, name: string): Record<string, unknown> {
  const { [name]: _, ...rest } = value
  return rest
}

/** Names between double braces: the arguments that the text needs. */
function placeholders(words: string): string[] {
  return [...new Set([...words.matchAll(/\{\{\s*([\w-]+)/g)].map(([, name]) => name as string))]
}

const namedMax = 4

/** Titles of the documents that show a text. */
function placesInWords(
  docs: ReadonlyMap<string, unknown>,
  uses: readonly { file: string }[],
  words: Readonly<Record<string, string>>,
): string {
  const names = [...new Set(uses.map(({ file }) => file))].map((file) => {
    const doc = docs.get(file)
    return isObject(doc) ? titleOf(doc, words) || inWords(String(doc.id)) : file
  })
  return `${[...new Set(names)].slice(0, namedMax).join(', ')}${names.length > namedMax ? ' …' : ''}`
}

const shownMax = 30

/** Finds a key by its name or its text. */
function KeyPicker({ control, chosen, take }: { control: ControlProps; chosen: string; take(key: string): void }) {
  const say = useWords()
  const { known } = useEditing()
  const [wanted, setWanted] = useState('')
  const list = useId()
  const parts = searchForm(wanted).split(/\s+/).filter(Boolean)
  const found = Object.entries(known.words).filter(([key, words]) =>
    parts.every((part) => searchForm(key).includes(part) || searchForm(words).includes(part)),
  )
  return (
    <>
      <div className={styles.search}>
        <Search size={15} aria-hidden />
        <SearchInput {...control} value={wanted} placeholder={say('editor.words_search')} aria-controls={list} onSearch={setWanted} />
      </div>
      <ul id={list} className={styles.found}>
        {found.slice(0, shownMax).map(([key, words]) => (
          <li key={key}>
            <button type="button" className={styles.choice} aria-pressed={key === chosen} onClick={() => take(key)}>
              <span>{words}</span>
              <span className={styles.quietKey}>{key}</span>
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className="quiet">{say('editor.words_nothing')}</p>}
      {found.length > shownMax && <p className="quiet">{say('editor.words_more', { count: found.length - shownMax })}</p>}
    </>
  )
}

/** A new text; a key is proposed from it. The texts of the other languages can be entered at once or later. */
function FreshWords({ control, done, cancel }: { control: ControlProps; done(key: string): void; cancel(): void }) {
  const say = useWords()
  const { known, doc, say: write } = useEditing()
  const [words, setWords] = useState('')
  const [own, setOwn] = useState<string | null>(null)
  const main = known.languages.includes('en') ? 'en' : (known.languages[0] ?? 'en')
  const area = areaFor(doc, Object.keys(known.texts[main] ?? {}))
  const key = own ?? proposedKey(area, words, known.words)
  const refusal = words.trim() === '' ? null : refuseKey(key, known.words)
  return (
    <div className={styles.fresh}>
      <TextInput
        {...control}
        value={words}
        placeholder={say('editor.words_in', { language: main })}
        spellCheck
        onChange={(event) => setWords(event.target.value)}
      />
      <Field label={say('editor.words_key')} error={refusal ? say(`editor.key_${refusal}`) : undefined}>
        {(field) => <TextInput {...field} className="mono" value={key} onChange={(event) => setOwn(event.target.value)} />}
      </Field>
      <div className={styles.line}>
        <Button
          small
          tone="primary"
          disabled={words.trim() === '' || refusal !== null}
          onClick={() => {
            write(key, main, words.trim())
            done(key)
          }}
        >
          {say('editor.words_add')}
        </Button>
        <Button small tone="quiet" onClick={cancel}>
          {say('editor.cancel')}
        </Button>
      </div>
    </div>
  )
}
