import { FilePlus2, ListPlus, Search } from 'lucide-react'
import { useDeferredValue, useMemo, useState } from 'react'
import { Link, useParams } from 'react-router-dom'
import { wordsIn } from '#console/editor/document/known.ts'
import { readDocuments, readTexts } from '#console/editor/document/read.ts'
import { useWordLanguage } from '#console/editor/document/useWordLanguage.ts'
import { NewScreen } from '#console/editor/guided/NewScreen.tsx'
import styles from '#console/editor/list/Documents.module.css'
import { type DocumentEntry, entryOf, grouped, inWords, routesByScreen } from '#console/editor/list/entries.rules.ts'
import { NewDialog } from '#console/editor/list/NewDocument.tsx'
import { type Hit, search } from '#console/editor/list/search.rules.ts'
import { WhereUsed } from '#console/editor/list/WhereUsed.tsx'
import { useWorkspace } from '#console/io/useWorkspace.ts'
import { useWords } from '#console/io/words.ts'
import { Badge } from '#console/parts/Badge.tsx'
import { Button } from '#console/parts/Button.tsx'
import { EmptyState } from '#console/parts/EmptyState.tsx'
import { Select } from '#console/parts/Field.tsx'
import { Page } from '#console/parts/layout/Page.tsx'
import { Tabs } from '#console/parts/layout/Tabs.tsx'
import { SearchInput } from '#console/parts/SearchInput.tsx'
import { useSearch } from '#console/parts/useSearch.ts'

/** All documents of the draft by title, with a search over their content. */
export function DocumentsPage() {
  const say = useWords()
  const { files, changed, problems, editable } = useWorkspace()
  const { search: params, put, clear } = useSearch()
  const [fresh, setFresh] = useState<'document' | 'screen' | null>(null)
  const texts = useMemo(() => readTexts(files), [files])
  const [language, setLanguage] = useWordLanguage(Object.keys(texts))
  const entries = useMemo(() => {
    const words = wordsIn(texts, language)
    const docs = readDocuments(files)
    const routes = routesByScreen(docs.get('schemas/routes.json'))
    return [...docs].map(([path, doc]) => entryOf(path, doc, words, routes))
  }, [files, texts, language])
  const wanted = params.get('q') ?? ''
  const kind = params.get('kind') ?? ''
  const tab = params.get('tab') === 'uses' ? 'uses' : 'list'
  const only = params.get('only') ?? ''
  const deferred = useDeferredValue(wanted)
  const errors = useMemo(() => {
    const counts = new Map<string, number>()
    for (const { file, severity } of problems) if (severity === 'error') counts.set(file, (counts.get(file) ?? 0) + 1)
    return counts
  }, [problems])
  const kept = entries.filter(
    (entry) =>
      (kind === '' || entry.kind === kind) &&
      (only !== 'changed' || changed.includes(entry.path)) &&
      (only !== 'wrong' || errors.has(entry.path)),
  )
  const hits = search(kept, deferred)
  const kinds = [...new Set(entries.map((entry) => entry.kind))]
  const row = (entry: DocumentEntry, hit?: Hit) => (
    <DocumentRow key={entry.path} entry={entry} hit={hit} changed={changed.includes(entry.path)} errors={errors.get(entry.path) ?? 0} />
  )
  return (
    <Page
      title={say('editor.documents')}
      lead={say('editor.documents_lead', { count: entries.length })}
      actions={
        <>
          <Button icon={ListPlus} disabled={!editable} onClick={() => setFresh('screen')}>
            {say('guided.button')}
          </Button>
          <Button tone="primary" icon={FilePlus2} disabled={!editable} onClick={() => setFresh('document')}>
            {say('editor.new')}
          </Button>
        </>
      }
    >
      <Tabs
        label={say('editor.documents')}
        tabs={[
          { id: 'list', label: say('editor.tab_list') },
          { id: 'uses', label: say('editor.tab_uses') },
        ]}
        chosen={tab}
        onChoose={(next) => put('tab', next === 'list' ? '' : next)}
      >
        {tab === 'uses' ? (
          <WhereUsed word={params.get('of') ?? ''} onWord={(word) => put('of', word)} />
        ) : (
          <div className={styles.list}>
            <div className={styles.filters}>
              <div className={styles.search}>
                <Search size={16} aria-hidden />
                <SearchInput
                  aria-label={say('editor.search')}
                  placeholder={say('editor.search')}
                  value={wanted}
                  onSearch={(text) => put('q', text)}
                />
              </div>
              <Select
                aria-label={say('editor.filter_kind')}
                value={kind}
                choices={[
                  { value: '', label: say('editor.filter_kind_all') },
                  ...kinds.map((value) => ({ value, label: say(`editor.kinds_${value}`) })),
                ]}
                onChoose={(next) => put('kind', next)}
              />
              <Select
                aria-label={say('editor.filter_state')}
                value={only}
                choices={[
                  { value: '', label: say('editor.filter_state_all') },
                  {
                    value: 'changed',
                    label: say('editor.filter_changed', { count: entries.filter(({ path }) => changed.includes(path)).length }),
                  },
                  { value: 'wrong', label: say('editor.filter_wrong', { count: errors.size }) },
                ]}
                onChoose={(next) => put('only', next)}
              />
              <Select
                aria-label={say('editor.words_language')}
                value={language}
                choices={Object.keys(texts).map((value) => ({ value, label: value }))}
                onChoose={setLanguage}
              />
            </div>
            {hits.length === 0 ? (
              <EmptyState icon={Search} title={say('editor.search_none')} text={say('editor.search_none_text')}>
                <Button onClick={clear}>{say('editor.search_clear')}</Button>
              </EmptyState>
            ) : deferred.trim() !== '' ? (
              <ul className={styles.rows}>{hits.map((hit) => row(hit.entry, hit))}</ul>
            ) : (
              grouped(kept).map((group) => (
                <section key={group.kind} className={styles.group}>
                  <h2>{say(`editor.kinds_${group.kind}`)}</h2>
                  {group.areas.map(({ area, entries: own }) => (
                    <div key={area} className={styles.area}>
                      {area !== '' && <h3>{inWords(area)}</h3>}
                      <ul className={styles.rows}>{own.map((entry) => row(entry))}</ul>
                    </div>
                  ))}
                </section>
              ))
            )}
          </div>
        )}
      </Tabs>
      {fresh === 'document' && <NewDialog onClose={() => setFresh(null)} />}
      {fresh === 'screen' && <NewScreen onClose={() => setFresh(null)} />}
    </Page>
  )
}

function DocumentRow({ entry, hit, changed, errors }: { entry: DocumentEntry; hit: Hit | undefined; changed: boolean; errors: number }) {
  const say = useWords()
  const { id } = useParams()
  const to = entry.kind === 'theme' ? `/draft/${id}/theme` : `/draft/${id}/document/${entry.path}`
  return (
    <li>
      <Link className={styles.row} to={to}>
        <span className={styles.title}>{entry.title}</span>
        <span className={styles.about}>
          {hit && hit.found !== '' && hit.in !== 'title' && hit.in !== 'id'
            ? say(`editor.found_${hit.in}`, { found: hit.found.length > 80 ? `${hit.found.slice(0, 78)}…` : hit.found })
            : (entry.routes[0] ?? '')}
        </span>
        <span className={styles.id}>{entry.id}</span>
        <span className={styles.badges}>
          {hit && <Badge>{say(`editor.kind_${entry.kind}`)}</Badge>}
          {entry.broken && <Badge tone="bad">{say('editor.unread')}</Badge>}
          {changed && <Badge tone="accent">{say('editor.changed')}</Badge>}
          {errors > 0 && <Badge tone="bad">{say('editor.errors', { count: errors })}</Badge>}
        </span>
      </Link>
    </li>
  )
}
