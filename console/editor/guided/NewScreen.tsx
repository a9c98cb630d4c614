import { useMemo, useState } from 'react'
import { useNavigate, useParams } from 'react-router-dom'
import { spoken, wordsIn } from '#console/editor/document/known.ts'
import { readDocument, readDocuments, readTexts } from '#console/editor/document/read.ts'
import { proposedKey } from '#console/editor/document/words-edit.rules.ts'
import { CallList, ColumnList } from '#console/editor/guided/Choices.tsx'
import styles from '#console/editor/guided/Guided.module.css'
import {
  type Audience,
  audiences,
  columnsOf,
  filesOfListScreen,
  listingCalls,
  neededBy,
  proposedId,
  usualColumns,
} from '#console/editor/guided/list-screen.rules.ts'
import { inWords } from '#console/editor/list/entries.rules.ts'
import { addressOf, holderOf, pathOf } from '#console/editor/list/templates.rules.ts'
import { labelOf } from '#console/editor/values/fields.rules.ts'
import { useWorkspace } from '#console/io/useWorkspace.ts'
import { useWords } from '#console/io/words.ts'
import { Button } from '#console/parts/Button.tsx'
import { Dialog } from '#console/parts/dialog/Dialog.tsx'
import { Field, Select, TextInput } from '#console/parts/Field.tsx'
import { isObject } from '#language/documents/json.ts'
import { limits } from '#language/documents/limits.ts'
import type { CallManifest } from '#language/types/catalog.ts'
import { Icon } from '#widgets/parts/look/Icon.tsx'

const entryLetters = 14

/** A screen that lists, made by answers: the call, its columns, the title in every language, the audience, the address and the entry. */
export function NewScreen({ onClose }: { onClose(): void }) {
  const say = useWords()
  const { id: draft } = useParams()
  const navigate = useNavigate()
  const { files, catalog, editAll } = useWorkspace()
  const calls = useMemo(() => listingCalls(catalog?.calls ?? []), [catalog])
  const texts = useMemo(() => readTexts(files), [files])
  const languages = useMemo(() => ['en', ...Object.keys(texts).filter((one) => one !== 'en')].filter((one) => texts[one]), [texts])
  const [call, setCall] = useState<CallManifest | null>(null)
  const [columns, setColumns] = useState<readonly string[]>([])
  const [args, setArgs] = useState<Readonly<Record<string, string>>>({})
  const [title, setTitle] = useState<Readonly<Record<string, string>>>({})
  const [audience, setAudience] = useState<Audience>('everyone')
  const [typed, setTyped] = useState<string | null>(null)
  const [list, setList] = useState('')
  const [icon, setIcon] = useState('star')
  const [main = 'en'] = languages
  const words = title[main]?.trim() ?? ''
  const id = call ? proposedId(call.name, words, files) : ''
  const address = addressOf(typed ?? (id === '' ? '' : `pages/${id.replaceAll('.', '/')}`))
  const holder = address === '' ? null : holderOf(readDocument('schemas/routes.json', files['schemas/routes.json'] ?? '{}').value, address)
  const entries = useMemo(() => entryLists(files, main), [files, main])
  const needed = call ? neededBy(call) : []
  const iconKnown = (catalog?.icons ?? []).includes(icon)
  const lacking = call === null || columns.length === 0 || words === '' || address === '' || holder !== null || (list !== '' && !iconKnown)
  const tooLong = list !== '' && Object.values(title).some((one) => [...one.trim()].length > entryLetters)
  const choose = (next: CallManifest) => {
    setCall(next)
    setColumns(usualColumns(columnsOf(next)))
    setArgs({})
  }
  const make = () => {
    if (!call) return
    const area = [id.split('.')[0] ?? '', 'common', 'app'].find((one) => texts[main]?.[one]) ?? 'app'
    const taken = Object.fromEntries(Object.keys(texts[main]?.[area] ?? {}).map((key) => [`${area}.${key}`, '']))
    const app = [...readDocuments(files).values()].find((doc) => isObject(doc) && doc.kind === 'app')
    const segments = isObject(app) && isObject(app.segments) ? Object.keys(app.segments) : []
    const wanted = { call, args, columns, id, address, title, audience, entry: list === '' ? null : { file: list, icon } }
    editAll(filesOfListScreen(files, wanted, proposedKey(area, words, taken), segments))
    navigate(`/draft/${draft}/document/${pathOf('screen', id)}`)
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={say('guided.title')}
      wide
      foot={
        <>
          <Button onClick={onClose}>{say('editor.cancel')}</Button>
          <Button tone="primary" disabled={lacking} onClick={make}>
            {say('guided.make')}
          </Button>
        </>
      }
    >
      <div className={styles.steps}>
        <section className={styles.step} aria-label={say('guided.what')}>
          <h3>{say('guided.what')}</h3>
          <CallList calls={calls} chosen={call} choose={choose} clear={() => setCall(null)} />
          {needed.map(([name, schema]) => (
            <Field key={name} label={labelOf(name)} help={typeof schema.description === 'string' ? schema.description : undefined}>
              {(control) => (
                <TextInput
                  {...control}
                  value={args[name] ?? ''}
                  onChange={(event) => setArgs({ ...args, [name]: event.target.value.trim() })}
                />
              )}
            </Field>
          ))}
        </section>
        {call && (
          <>
            <section className={styles.step} aria-label={say('guided.columns')}>
              <h3>{say('guided.columns')}</h3>
              <ColumnList columns={columnsOf(call)} chosen={columns} onChange={setColumns} />
            </section>
            <section className={styles.step} aria-label={say('guided.name')}>
              <h3>{say('guided.name')}</h3>
              <p className="quiet">{say('guided.name_help')}</p>
              <div className={styles.languages}>
                {languages.map((language) => (
                  <Field key={language} label={language} inline>
                    {(control) => (
                      <TextInput
                        {...control}
                        lang={language}
                        spellCheck
                        value={title[language] ?? ''}
                        onChange={(event) => setTitle({ ...title, [language]: event.target.value })}
                      />
                    )}
                  </Field>
                ))}
              </div>
            </section>
            <section className={styles.step} aria-label={say('guided.reach')}>
              <h3>{say('guided.reach')}</h3>
              <Field label={say('guided.audience')} help={call.auth === 'user' ? say('guided.needs_login') : undefined}>
                {(control) => (
                  <Select
                    {...control}
                    value={audience}
                    choices={audiences.map((value) => ({ value, label: say(`guided.audience_${value}`) }))}
                    onChoose={setAudience}
                  />
                )}
              </Field>
              <Field label={say('editor.new_route')} error={holder === null ? undefined : say('editor.new_route_taken', { name: holder })}>
                {(control) => (
                  <TextInput
                    {...control}
                    className="mono"
                    value={typed ?? address}
                    onChange={(event) => setTyped(event.target.value.trim())}
                  />
                )}
              </Field>
              <Field label={say('guided.entry')} help={tooLong ? say('guided.too_long', { count: entryLetters }) : undefined}>
                {(control) => (
                  <Select
                    {...control}
                    value={list}
                    choices={[{ value: '', label: say('guided.entry_none') }, ...entries]}
                    onChoose={setList}
                  />
                )}
              </Field>
              {list !== '' && (
                <Field label={say('guided.icon')} error={iconKnown ? undefined : say('editor.icon_nothing')}>
                  {(control) => (
                    <span className={styles.icon}>
                      {iconKnown && <Icon name={icon} size={20} />}
                      <TextInput {...control} list="guided-icons" value={icon} onChange={(event) => setIcon(event.target.value.trim())} />
                      <datalist id="guided-icons">
                        {(catalog?.icons ?? []).map((one) => (
                          <option key={one} value={one} />
                        ))}
                      </datalist>
                    </span>
                  )}
                </Field>
              )}
            </section>
          </>
        )}
      </div>
    </Dialog>
  )
}

/** Quick entries with room for another one, by file, with their first labels. */
function entryLists(files: Readonly<Record<string, string>>, language: string): { value: string; label: string }[] {
  const words = wordsIn(readTexts(files), language)
  return [...readDocuments(files)].flatMap(([file, doc]) => {
    if (!isObject(doc) || doc.kind !== 'quick-entries' || !Array.isArray(doc.entries)) return []
    if (doc.entries.length >= limits.quickEntriesMax) return []
    const names = doc.entries.slice(0, 3).map((entry) => spoken(isObject(entry) ? entry.label : '', words))
    return [{ value: file, label: `${inWords(String(doc.id))} (${names.join(', ')} …)` }]
  })
}
