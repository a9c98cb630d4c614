import { FileJson } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Link } from 'react-router-dom'
import { areaOf } from '#console/io/sources.ts'
import { consoleLanguages, useLocaleTag, useWords } from '#console/io/words.ts'
import { Badge } from '#console/parts/Badge.tsx'
import { Button } from '#console/parts/Button.tsx'
import { EmptyState } from '#console/parts/EmptyState.tsx'
import { JsonDiff } from '#console/parts/JsonDiff.tsx'
import styles from '#console/review/Review.module.css'
import { type Sentence, type Speech, sentencesOf, textSentences } from '#console/review/sentences.rules.ts'
import type { DocumentDiff } from '#language/publish/publishing.ts'
import { readWords } from '#language/text/text-file.ts'

interface ChangesProps {
  diff: readonly DocumentDiff[]
  before: Readonly<Record<string, string>>
  after: Readonly<Record<string, string>>
  beforeLabel: string
  afterLabel: string
  /** Address of a place in the editor; absent where the draft cannot be edited. */
  editAt?: (path: string, pointer: string) => string
}

/** The changes of each document in sentences, with the JSON beside them. */
export function Changes({ diff, before, after, beforeLabel, afterLabel, editAt }: ChangesProps) {
  const say = useWords()
  const speech = useSpeech(after)
  const documents = diff.filter(({ path }) => !areaOf(path))
  const areas = diff.filter(({ path }) => areaOf(path))
  const texts = useMemo(() => textSentences(areas, speech), [areas, speech])
  if (diff.length === 0) return <EmptyState icon={FileJson} title={say('review.changes.none')} text={say('review.changes.none_text')} />
  const texting = (path: string) => <TextDiff path={path} before={before} after={after} beforeLabel={beforeLabel} afterLabel={afterLabel} />
  return (
    <div className={styles.documents}>
      {documents.map((one) => (
        <article key={one.path} className={styles.document}>
          <header className={styles.documentHead}>
            <h2>
              {single.has(one.path)
                ? kindWord(one.path, say)
                : say('review.changes.document', { kind: kindWord(one.path, say), id: idOf(one.document) })}
              <span className={styles.path}>{one.path}</span>
            </h2>
            <Shown screens={one.screens} />
          </header>
          <Sentences sentences={sentencesOf(one, speech)} editAt={editAt} />
          {texting(one.path)}
        </article>
      ))}
      {areas.length > 0 && (
        <article className={styles.document}>
          <header className={styles.documentHead}>
            <h2>{say('review.changes.texts', { count: texts.length })}</h2>
            <Shown screens={[...new Set(areas.flatMap(({ screens }) => screens))]} />
          </header>
          <Sentences sentences={texts} editAt={undefined} />
          {areas.map(({ path }) => (
            <div key={path} className={styles.area}>
              <span className={styles.path}>{path}</span>
              {texting(path)}
            </div>
          ))}
        </article>
      )}
    </div>
  )
}

/** Only one document of the kind exists, so its kind is its name. */
const single = new Set(['schemas/app.json', 'schemas/routes.json', 'schemas/theme.json'])
const idOf = (document: string) => document.slice(document.indexOf('/') + 1)
function kindWord(path: string, say: ReturnType<typeof useWords>): string {
  const folder = /^schemas\/([^/.]+)/.exec(path)?.[1] ?? path
  const key = `review.kind.${folder}`
  const word = say(key)
  return word === key ? folder : word
}

const sentencesMax = 12
const marks = { added: '+', removed: '−', moved: '↕', changed: '•', renamed: '→' } as const

function Sentences({ sentences, editAt }: { sentences: readonly Sentence[]; editAt: ChangesProps['editAt'] }) {
  const say = useWords()
  const [all, setAll] = useState(false)
  const shown = all ? sentences : sentences.slice(0, sentencesMax)
  return (
    <>
      <ul className={styles.sentences}>
        {shown.map(({ id, kind, text, pointer, path }) => (
          <li key={id} data-kind={kind}>
            <span className={styles.mark} aria-hidden>
              {marks[kind]}
            </span>
            {editAt && kind !== 'removed' ? (
              <Link className={styles.place} to={editAt(path, pointer)}>
                {text}
              </Link>
            ) : (
              <span>{text}</span>
            )}
          </li>
        ))}
      </ul>
      {sentences.length > shown.length && (
        <Button small tone="quiet" onClick={() => setAll(true)}>
          {say('review.changes.more', { count: sentences.length - shown.length })}
        </Button>
      )}
    </>
  )
}

function Shown({ screens }: { screens: readonly string[] }) {
  const say = useWords()
  if (screens.length === 0) return null
  return <Badge title={screens.join(', ')}>{say('review.changes.screens', { count: screens.length })}</Badge>
}

function TextDiff({ path, before, after, beforeLabel, afterLabel }: { path: string } & Omit<ChangesProps, 'diff' | 'editAt'>) {
  const say = useWords()
  const [open, setOpen] = useState(false)
  return (
    <div className={styles.json}>
      <Button small tone="quiet" icon={FileJson} aria-expanded={open} onClick={() => setOpen(!open)}>
        {say(open ? 'review.changes.hide_json' : 'review.changes.show_json')}
      </Button>
      {open && <JsonDiff before={before[path] ?? ''} after={after[path] ?? ''} beforeLabel={beforeLabel} afterLabel={afterLabel} />}
    </div>
  )
}

/** The texts and formats for sentences about changes. @param files the draft, for the texts of its keys */
function useSpeech(files: Readonly<Record<string, string>>): Speech {
  const say = useWords()
  const tag = useLocaleTag()
  const language = consoleLanguages.find((one) => one.tag === tag)?.id ?? 'en'
  const words = useMemo(() => {
    const found = new Map<string, string>()
    for (const id of new Set(['en', language])) {
      for (const [path, text] of Object.entries(files)) {
        const place = areaOf(path)
        if (place?.[0] !== id) continue
        for (const [key, value] of Object.entries(readWords(path, text).flat)) found.set(`${place[1]}.${key}`, value)
      }
    }
    return found
  }, [files, language])
  return useMemo(
    () => ({
      say,
      tag,
      wordsOf: (key) => words.get(key) ?? words.get(`${key}_other`),
      languageName: (id) => consoleLanguages.find((one) => one.id === id)?.label ?? id,
    }),
    [say, tag, words],
  )
}
