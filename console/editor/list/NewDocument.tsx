import { useState } from 'react'
import { useNavigate, useParams } from 'react-router-dom'
import { wordsIn } from '#console/editor/document/known.ts'
import { readDocument, readTexts } from '#console/editor/document/read.ts'
import { proposedKey, withWords } from '#console/editor/document/words-edit.rules.ts'
import { inWords, titleOf } from '#console/editor/list/entries.rules.ts'
import { addressOf, copyOf, holderOf, type NewKind, newKinds, pathOf, refuseId, templateOf } from '#console/editor/list/templates.rules.ts'
import { useWorkspace } from '#console/io/useWorkspace.ts'
import { useWords } from '#console/io/words.ts'
import { Button } from '#console/parts/Button.tsx'
import { Dialog } from '#console/parts/dialog/Dialog.tsx'
import { Field, Select, TextInput } from '#console/parts/Field.tsx'
import { isObject } from '#language/documents/json.ts'
import { editText, printText } from '#language/edit/edit.ts'

/** Creates a document of a kind, with its title as a text and, for a screen, an address. */
export function NewDialog({ onClose }: { onClose(): void }) {
  const say = useWords()
  const { id: draft } = useParams()
  const navigate = useNavigate()
  const { files, editAll } = useWorkspace()
  const [kind, setKind] = useState<NewKind>('screen')
  const [id, setId] = useState('')
  const [title, setTitle] = useState('')
  const [address, setAddress] = useState<string | null>(null)
  const refusal = refuseId(kind, id, new Set(Object.keys(files)))
  const typed = address ?? (id === '' ? '' : `pages/${id.replaceAll('.', '/')}`)
  const route = kind === 'screen' ? addressOf(typed) : ''
  const holder = route === '' ? null : holderOf(readDocument('schemas/routes.json', files['schemas/routes.json'] ?? '{}').value, route)
  /** Title of a screen with its id. */
  const nameOf = (screen: string) => {
    const path = pathOf('screen', screen)
    const doc = files[path] === undefined ? undefined : readDocument(path, files[path]).value
    const texts = readTexts(files)
    const shown = isObject(doc) ? titleOf(doc, wordsIn(texts, 'en')) : ''
    return shown === '' ? screen : `${shown} (${screen})`
  }
  const make = () => {
    const path = pathOf(kind, id)
    const texts = readTexts(files)
    const language = texts.en ? 'en' : (Object.keys(texts)[0] ?? 'en')
    const area = [id.split('.')[0] ?? '', 'common', 'app'].find((one) => texts[language]?.[one]) ?? 'app'
    const taken = Object.fromEntries(Object.entries(texts[language]?.[area] ?? {}).map(([key, words]) => [`${area}.${key}`, words]))
    const words = title.trim() || inWords(id)
    const key = proposedKey(area, words, taken)
    const written = withWords(files, key, language, words)
    const change: Record<string, string> = { [path]: printText(templateOf(kind, id, key)), [written.path]: written.text }
    const routes = files['schemas/routes.json']
    if (route !== '' && routes !== undefined)
      change['schemas/routes.json'] = editText(routes, `/routes/${route.replaceAll('~', '~0').replaceAll('/', '~1')}`, { screen: id })
    editAll(change)
    navigate(`/draft/${draft}/document/${path}`)
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={say('editor.new')}
      foot={
        <>
          <Button onClick={onClose}>{say('editor.cancel')}</Button>
          <Button tone="primary" disabled={refusal !== null || holder !== null} onClick={make}>
            {say('editor.new_make')}
          </Button>
        </>
      }
    >
      <Field label={say('editor.new_kind')} help={say(`editor.about_${kind}`)}>
        {(control) => (
          <Select
            {...control}
            value={kind}
            choices={newKinds.map((value) => ({ value, label: say(`editor.kind_${value}`) }))}
            onChoose={setKind}
          />
        )}
      </Field>
      <Field
        label={say('editor.new_id')}
        help={say('editor.new_id_help')}
        error={id !== '' && refusal ? say(`editor.id_${refusal}`) : undefined}
      >
        {(control) => (
          <TextInput
            {...control}
            className="mono"
            value={id}
            placeholder={kind === 'screen' || kind === 'form' ? 'market.movers' : 'movers'}
            onChange={(event) => setId(event.target.value.trim())}
          />
        )}
      </Field>
      <Field label={say('editor.new_title')} help={say('editor.new_title_help')}>
        {(control) => <TextInput {...control} value={title} spellCheck onChange={(event) => setTitle(event.target.value)} />}
      </Field>
      {kind === 'screen' && (
        <Field
          label={say('editor.new_route')}
          help={say('editor.new_route_help')}
          error={holder === null ? undefined : say('editor.new_route_taken', { name: nameOf(holder) })}
        >
          {(control) => (
            <TextInput {...control} className="mono" value={typed} onChange={(event) => setAddress(event.target.value.trim())} />
          )}
        </Field>
      )}
    </Dialog>
  )
}

/** Copies the open document under another id. */
export function CopyDialog({ path, onClose }: { path: string; onClose(): void }) {
  const say = useWords()
  const { id: draft } = useParams()
  const navigate = useNavigate()
  const { files, edit } = useWorkspace()
  const { value: doc } = readDocument(path, files[path] ?? '')
  const kind = (isObject(doc) ? String(doc.kind) : 'screen') as NewKind
  const [id, setId] = useState(isObject(doc) ? `${String(doc.id)}-2` : '')
  const refusal = refuseId(kind, id, new Set(Object.keys(files)))
  const make = () => {
    const target = pathOf(kind, id)
    edit(target, printText(copyOf(doc, kind, id)))
    navigate(`/draft/${draft}/document/${target}`)
    onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={say('editor.copy')}
      foot={
        <>
          <Button onClick={onClose}>{say('editor.cancel')}</Button>
          <Button tone="primary" disabled={refusal !== null} onClick={make}>
            {say('editor.copy_make')}
          </Button>
        </>
      }
    >
      <Field label={say('editor.new_id')} help={say('editor.new_id_help')} error={refusal ? say(`editor.id_${refusal}`) : undefined}>
        {(control) => <TextInput {...control} className="mono" value={id} onChange={(event) => setId(event.target.value.trim())} />}
      </Field>
    </Dialog>
  )
}
