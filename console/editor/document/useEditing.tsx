import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react'
import { type Known, knownOf, wordsIn } from '#console/editor/document/known.ts'
import { valueAt } from '#console/editor/document/pointer.ts'
import { metaSchemas, readDocument, readDocuments, readTexts } from '#console/editor/document/read.ts'
import { formsOf } from '#console/editor/document/text-forms.rules.ts'
import {
  areaFor,
  keysIn,
  newWordsOf,
  proposedKey,
  withCopiedKey,
  withOwnKeys,
  withoutUnused,
  withWords,
} from '#console/editor/document/words-edit.rules.ts'
import { messageInWords } from '#console/editor/problems/problem-words.rules.ts'
import { afterRemoval } from '#console/editor/tree/moves.rules.ts'
import type { Place } from '#console/editor/tree/rows.rules.ts'
import { type PathHint, pathsFrom } from '#console/editor/values/paths.rules.ts'
import { useWorkspace } from '#console/io/useWorkspace.ts'
import { useWords } from '#console/io/words.ts'
import type { Workspace } from '#console/io/workspace-types.ts'
import { isObject } from '#language/documents/json.ts'
import { EditProblem, editText, insertItem, moveTo, renameMember } from '#language/edit/edit.ts'
import { createWorld, type Entry, type World } from '#language/lint/world.ts'
import type { Catalog, LintProblem, SourceDocument, TextCatalog } from '#language/types/catalog.ts'
import type { Types } from '#language/types/types.ts'

/** The types of the values that can be read at a pointer. Built on the first request, for one state of the documents. */
interface Places {
  at(file: string, pointer: string): Types
}

function placesIn(documents: readonly SourceDocument[], texts: TextCatalog, catalog: Catalog): Places {
  let world: World | undefined
  return {
    at(file, pointer) {
      world ??= createWorld(documents, texts, catalog)
      const entry = world.entries.find(({ source }) => source.file === file)
      return entry ? typesAt(world, entry, pointer) : {}
    },
  }
}

function typesAt(world: World, entry: Entry, pointer: string): Types {
  const holds = (place: { pointer: string }) => pointer === place.pointer || pointer.startsWith(`${place.pointer}/`)
  const deepest = <T extends { pointer: string }>(places: readonly T[]) =>
    places.filter(holds).sort((a, b) => b.pointer.length - a.pointer.length)[0]
  const node = deepest(entry.own.nodes)
  const action = deepest(entry.own.actions)
  const rest = node ? pointer.slice(node.pointer.length) : pointer
  const role = rest.startsWith('/repeat') ? 'each' : rest.startsWith('/rules') ? 'test' : ''
  const [, source] = /^\/data\/([^/]+)\/send\/optimistic\//.exec(pointer) ?? []
  return world.typesAt(entry, { ...(node && { node }), ...(action && { action }), role, ...(source !== undefined && { source }) })
}

const noCatalog: Catalog = { widgets: [], functions: [], topics: [], calls: [], icons: [], symbols: [] }

/** Returns the names that every editor of the draft needs, with texts in the operator's language. */
function useKnown(language: string): Known {
  const { files, catalog } = useWorkspace()
  return useMemo(
    () => knownOf(readDocuments(files).values(), readTexts(files), catalog ?? noCatalog, metaSchemas, language),
    [files, catalog, language],
  )
}

/** One document in the editor: its state and all ways to change it. Edits keep the formatting of the file. */
export interface Editing {
  workspace: Workspace
  path: string
  text: string
  /** The parsed document; the last valid one while the text is invalid. */
  doc: unknown
  /** The text is not valid JSON: forms and tree can be read but not used. */
  broken: boolean
  editable: boolean
  known: Known
  problems: readonly LintProblem[]
  /** Pointer of the selected node, field or entry; "" is the document. */
  selected: string
  select(pointer: string): void
  /** Sets a member; undefined removes it. A text without a key (`{"$t": ""}`) gets a key of its own. `together` joins edits of one field into one undo step. */
  set(pointer: string, value: unknown, together?: string): void
  /** Sets several parts as one undo step. */
  setAll(parts: readonly (readonly [pointer: string, value: unknown])[]): void
  /** Removes several members, with the texts that nothing shows any more, as one undo step. */
  remove(pointers: readonly string[]): void
  /** Inserts a value and selects it, unless `quiet`, as for items of a list in a form. A text without a key gets a key of its own. */
  insert(place: Place, value: unknown, quiet?: boolean): void
  /** Moves a node. `to` is the place before the node is removed from its old one. The selection moves along. */
  move(from: string, to: Place, quiet?: boolean): void
  rename(pointer: string, name: string): void
  /** Changes the text of a key in one language. */
  say(key: string, language: string, words: string, together?: string): void
  /** Gives the text at a pointer a key of its own, with the same text in every language, so that later edits change this place alone. */
  separate(pointer: string): void
  /** Types of the values that can be read at a pointer. */
  typesAt(pointer: string): Types
  /** Paths that can be read at a pointer and complete the typed text. */
  pathsAt(pointer: string, typed: string): PathHint[]
  /** Why the last edit failed; null after a successful one. */
  refused: string | null
}

const EditingContext = createContext<Editing | null>(null)

export function useEditing(): Editing {
  const editing = useContext(EditingContext)
  if (!editing) throw new Error('outside of a document')
  return editing
}

/** Files without some parts of a document, and without the texts that nothing shows any more. */
function withoutParts(now: Readonly<Record<string, string>>, path: string, pointers: readonly string[]): Record<string, string> {
  const written = now[path] ?? ''
  const { value } = readDocument(path, written)
  const text = pointers.reduce((so, pointer) => editText(so, pointer, undefined), written)
  const keys = pointers.flatMap((pointer) => keysIn(valueAt(value, pointer)))
  if (keys.length === 0) return { [path]: text }
  const after = { ...now, [path]: text }
  return { ...withoutUnused(after, keys, readDocuments(after).values(), readTexts(now)), [path]: text }
}

interface ProviderProps {
  path: string
  language: string
  selected: string
  select(pointer: string): void
  children: ReactNode
}

export function EditingProvider({ path, language, selected, select, children }: ProviderProps) {
  const workspace = useWorkspace()
  const words = useWords()
  const known = useKnown(language)
  const { files, catalog } = workspace
  const text = files[path] ?? ''
  const { value: doc, good } = readDocument(path, text)
  const [refused, setRefused] = useState<string | null>(null)
  const places = useMemo<Places>(
    () => placesIn(workspace.sources ?? [], readTexts(files), catalog ?? noCatalog),
    [workspace.sources, files, catalog],
  )
  const typesHere = useCallback((pointer: string) => places.at(path, pointer), [places, path])
  const problems = useMemo(() => workspace.problems.filter(({ file }) => file === path), [workspace.problems, path])

  const attempt = useCallback(
    (made: (files: Readonly<Record<string, string>>) => Record<string, string>, together?: string) => {
      try {
        workspace.editAll(made(workspace.newest()), together)
        setRefused(null)
        return true
      } catch (problem) {
        if (!(problem instanceof EditProblem)) throw problem
        setRefused(messageInWords(problem.message, undefined, words, {}))
        return false
      }
    },
    [workspace, words],
  )
  const change = (work: (text: string) => string, together?: string) => attempt((now) => ({ [path]: work(now[path] ?? '') }), together)
  const main = known.languages.includes('en') ? 'en' : (known.languages[0] ?? 'en')
  const area = () => areaFor(doc, Object.keys(known.texts[main] ?? {}))
  /** Inserts a value into the document, and the texts of its new keys beside it, as one undo step. */
  const put = (value: unknown, work: (text: string, value: unknown) => string, together?: string) =>
    attempt((now) => {
      const own = withOwnKeys(value, area(), newWordsOf(value), wordsIn(readTexts(now), main))
      const made: Record<string, string> = { [path]: work(now[path] ?? '', own.value) }
      for (const [key, words] of Object.entries(own.words)) {
        const { path: file, text: next } = withWords({ ...now, ...made }, key, main, words)
        made[file] = next
      }
      const texts = readTexts(now)
      for (const [key, from] of Object.entries(own.copies))
        Object.assign(made, withCopiedKey({ ...now, ...made }, { $t: from }, key, texts))
      return made
    }, together)

  const editing: Editing = {
    workspace,
    path,
    text,
    doc,
    broken: !good,
    editable: workspace.editable && good,
    known,
    problems,
    selected,
    select,
    refused,
    set(pointer, value, together) {
      const joined = together && `${path}${pointer} ${together}`
      if (value === undefined) void attempt((now) => withoutParts(now, path, [pointer]), joined)
      else void put(value, (now, filled) => editText(now, pointer, filled), joined)
    },
    setAll(parts) {
      const values = parts.map(([, value]) => value)
      const work = (now: string, filled: unknown) =>
        (filled as unknown[]).reduce<string>((so, value, i) => editText(so, parts[i]![0], value), now)
      void put(values, work)
    },
    remove: (pointers) => void attempt((now) => withoutParts(now, path, pointers)),
    insert(place, value, quiet) {
      if (put(value, (now, filled) => insertItem(now, place.list, place.index, filled)) && !quiet) select(`${place.list}/${place.index}`)
    },
    move(from, to, quiet) {
      const after = afterRemoval(from, to)
      if (change((now) => moveTo(now, from, to.list, after.index)) && !quiet) select(`${after.list}/${after.index}`)
    },
    rename: (pointer, name) => void change((now) => renameMember(now, pointer, name)),
    say(key, lng, words, together) {
      attempt((now) => {
        const { path: file, text: next } = withWords(now, key, lng, words)
        return { [file]: next }
      }, together)
    },
    separate(pointer) {
      attempt((now) => {
        const value = valueAt(doc, pointer)
        if (!isObject(value)) return {}
        const texts = readTexts(now)
        const taken = wordsIn(texts, main)
        const [form = ''] = formsOf(texts, known.languages, main, value)
        const own = proposedKey(area(), taken[form] ?? '', taken)
        return { ...withCopiedKey(now, value, own, texts), [path]: editText(now[path] ?? '', `${pointer}/$t`, own) }
      })
    },
    typesAt: typesHere,
    pathsAt: (pointer, typed) => pathsFrom(places.at(path, pointer), typed, words),
  }
  return <EditingContext value={editing}>{children}</EditingContext>
}
