import { Plus, Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { useEditing } from '#console/editor/document/useEditing.tsx'
import styles from '#console/editor/kinds/Kinds.module.css'
import { ProblemLines } from '#console/editor/problems/Problems.tsx'
import { useTyped } from '#console/editor/values/useTyped.ts'
import { useWords } from '#console/io/words.ts'
import { Button, IconButton } from '#console/parts/Button.tsx'
import { Select, TextInput } from '#console/parts/Field.tsx'
import { SearchInput } from '#console/parts/SearchInput.tsx'
import { searchForm } from '#contract/text.ts'
import { isObject } from '#language/documents/json.ts'
import { below } from '#language/text/position.ts'

/** The routes of the app: which screen each shows, who may see it, and its tab. */
export function RoutesForm() {
  const say = useWords()
  const { doc, known, editable, selected, set } = useEditing()
  const [wanted, setWanted] = useState('')
  const [fresh, setFresh] = useState('')
  const routes = isObject(doc) && isObject(doc.routes) ? doc.routes : {}
  const words = searchForm(wanted).split(/\s+/).filter(Boolean)
  const rows = Object.entries(routes).filter(([path, route]) =>
    words.every((word) => searchForm(`${path} ${JSON.stringify(route)}`).includes(word)),
  )
  const taken = Object.hasOwn(known.screenOf, fresh)
  const screens = useId()
  return (
    <div className={styles.frame} style={{ maxWidth: 'none' }}>
      <div className={styles.tools}>
        <SearchInput
          aria-label={say('editor.routes_search')}
          placeholder={say('editor.routes_search')}
          value={wanted}
          onSearch={setWanted}
        />
      </div>
      <datalist id={screens}>
        {(known.names.screen ?? []).map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <div className={styles.tableFrame}>
        <table className={`${styles.table} ${styles.routes}`} aria-label={say('editor.kind_routes')}>
          <thead>
            <tr>
              {(['path', 'screen', 'tab', 'auth', 'kyc', 'aliases', 'off'] as const).map((name) => (
                <th key={name} scope="col">
                  {say(`editor.route_${name}`)}
                </th>
              ))}
              <th />
            </tr>
          </thead>
          <tbody>
            {rows.map(([path, route]) => (
              <RouteRow
                key={path}
                path={path}
                route={isObject(route) ? route : {}}
                chosen={selected.startsWith(below('/routes', path))}
                screens={screens}
              />
            ))}
          </tbody>
        </table>
      </div>
      {rows.length === 0 && <p className="quiet">{say('editor.routes_none')}</p>}
      <div className={styles.tools}>
        <TextInput
          className="mono"
          aria-label={say('editor.route_new')}
          placeholder={say('editor.route_new')}
          aria-invalid={taken || undefined}
          value={fresh}
          disabled={!editable}
          onChange={(event) => setFresh(event.target.value.trim().replace(/^#?\/+(?=.)/, ''))}
        />
        <Button
          icon={Plus}
          disabled={!editable || fresh === '' || taken}
          onClick={() => {
            set(below('/routes', fresh), { screen: known.names.screen?.[0] ?? '' })
            setFresh('')
          }}
        >
          {say('editor.route_add')}
        </Button>
        {taken && <span role="alert">{say('editor.route_taken')}</span>}
      </div>
    </div>
  )
}

function RouteRow({ path, route, chosen, screens }: { path: string; route: Record<string, unknown>; chosen: boolean; screens: string }) {
  const say = useWords()
  const { editable, known, problems, rename, set } = useEditing()
  const at = below('/routes', path)
  const [typed, type] = useTyped(path)
  const aliases = Array.isArray(route.aliases) ? route.aliases.join(', ') : ''
  const [names, typeNames, sentNames] = useTyped(aliases)
  const own = problems.filter(({ pointer }) => pointer === at || pointer.startsWith(`${at}/`))
  const member = (name: string, value: unknown) => set(`${at}/${name}`, value, name)
  const taken = typed !== path && Object.hasOwn(known.screenOf, typed)
  const put = () => {
    if (typed !== path && typed !== '' && !taken) rename(at, typed)
    else type(path)
  }
  const label = (name: string) => say('editor.route_member', { name: say(`editor.route_${name}`), path })
  return (
    <>
      <tr data-chosen={chosen || undefined}>
        <td>
          <TextInput
            className="mono"
            aria-label={label('path')}
            aria-invalid={taken || undefined}
            value={typed}
            disabled={!editable}
            onChange={(event) => type(event.target.value.trim())}
            onBlur={put}
            onKeyDown={(event) => event.key === 'Enter' && put()}
          />
        </td>
        <td>
          <TextInput
            className="mono"
            aria-label={label('screen')}
            aria-invalid={own.some(({ pointer }) => pointer === `${at}/screen`) || undefined}
            list={screens}
            value={String(route.screen ?? '')}
            disabled={!editable}
            onChange={(event) => member('screen', event.target.value.trim())}
          />
        </td>
        <td>
          <Select
            aria-label={label('tab')}
            value={String(route.tab ?? '')}
            disabled={!editable}
            choices={[{ value: '', label: '–' }, ...(known.names.tab ?? []).map((value) => ({ value, label: value }))]}
            onChoose={(next) => member('tab', next || undefined)}
          />
        </td>
        <td>
          <input
            type="checkbox"
            aria-label={label('auth')}
            checked={route.auth === true}
            disabled={!editable}
            onChange={(event) => member('auth', event.target.checked || undefined)}
          />
        </td>
        <td>
          <Select
            aria-label={label('kyc')}
            value={String(route.kyc ?? '')}
            disabled={!editable}
            choices={['', '1', '2'].map((value) => ({ value, label: value || '–' }))}
            onChoose={(next) => member('kyc', next === '' ? undefined : Number(next))}
          />
        </td>
        <td>
          <TextInput
            className="mono"
            aria-label={label('aliases')}
            value={names}
            disabled={!editable}
            onChange={(event) => {
              typeNames(event.target.value)
              const next = event.target.value
                .split(',')
                .map((one) => one.trim())
                .filter(Boolean)
              sentNames(next.join(', '))
              member('aliases', next.length > 0 ? next : undefined)
            }}
          />
        </td>
        <td>
          <input
            type="checkbox"
            aria-label={label('off')}
            checked={route.off === true}
            disabled={!editable}
            onChange={(event) => member('off', event.target.checked || undefined)}
          />
        </td>
        <td>
          <IconButton
            small
            label={say('editor.take_out', { name: path })}
            icon={Trash2}
            disabled={!editable}
            onClick={() => set(at, undefined)}
          />
        </td>
      </tr>
      {own.length > 0 && (
        <tr>
          <td colSpan={8}>
            <ProblemLines problems={own} />
          </td>
        </tr>
      )}
    </>
  )
}
