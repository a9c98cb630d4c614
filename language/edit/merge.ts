import type { Files } from '#language/edit/diff.ts'
import { mergeThings } from '#language/edit/merge-things.ts'
import { documentOf, thingsOf } from '#language/edit/parts.ts'
import type { MergeConflict } from '#language/publish/publishing.ts'
import { readJson } from '#language/text/expression-texts.ts'
import { printText } from '#language/text/json-text.ts'

/** Decisions of conflicts, by the id of the conflict. */
type MergeChoices = Readonly<Record<string, 'mine' | 'theirs'>>

interface Merged {
  /** The merged set, path → text. An undecided conflict has the value of `mine`. */
  files: Record<string, string>
  /** Conflicts still to be decided. Their ids depend on the three sets only, so they can be decided one by one. */
  conflicts: MergeConflict[]
}

/**
 * Three-way merge of whole sets of sources by meaning: nodes, fields, entries, routes and text keys by id. Additions, moves and changes of
 * different members on both sides are combined; so are reorderings that do not contradict each other, with additions of `mine` before those
 * of `theirs` in the same gap. Conflicts: the same member changed differently; a thing removed on one side and changed or filled on the
 * other; a thing moved to two places (member `place`); two contradicting orders (member `order`). Results are in the printed form. Never
 * throws; an unreadable file that both sides changed is one conflict, with the texts as values.
 * @param base the common base: the release on which the draft was made
 * @param mine the draft
 * @param theirs the current live release
 */
export function merge(base: Files, mine: Files, theirs: Files, choices: MergeChoices = {}): Merged {
  const files: Record<string, string> = {}
  const conflicts: MergeConflict[] = []
  for (const path of [...new Set([base, mine, theirs].flatMap((set) => Object.keys(set)))].sort()) {
    const text = mergeFile(path, base[path], mine[path], theirs[path], choices, conflicts)
    if (text !== undefined) files[path] = text
  }
  return { files, conflicts }
}

type Text = string | undefined

function mergeFile(path: string, base: Text, mine: Text, theirs: Text, choices: MergeChoices, conflicts: MergeConflict[]): Text {
  if (mine === base || mine === theirs) return theirs
  if (theirs === base) return mine
  return (mine !== undefined && theirs !== undefined && mergeDocument(path, base, mine, theirs, choices, conflicts)) || wholeFile()

  function wholeFile(): Text {
    const id = `${path}#`
    const choice = Object.hasOwn(choices, id) ? choices[id] : undefined
    const value = (text: Text) => (text === undefined ? undefined : (readJson(text) ?? text))
    const document = documentOf(path, value(mine ?? theirs))
    const sides = { base: value(base), mine: value(mine), theirs: value(theirs) }
    if (choice === undefined) conflicts.push({ id, path, document, pointer: '', node: null, member: '', ...sides })
    return choice === 'theirs' ? theirs : mine
  }
}

/** Undefined when the texts cannot be compared by meaning. */
function mergeDocument(path: string, base: Text, mine: string, theirs: string, choices: MergeChoices, conflicts: MergeConflict[]): Text {
  const [b, m, t] = [base === undefined ? {} : readJson(base), readJson(mine), readJson(theirs)]
  const document = documentOf(path, m)
  if (![b, m, t].every((json) => typeof json === 'object' && json !== null && !Array.isArray(json))) return undefined
  if (documentOf(path, t) !== document || (base !== undefined && documentOf(path, b) !== document)) return undefined
  const [bs, ms, ts] = [thingsOf(path, b), thingsOf(path, m), thingsOf(path, t)]
  const merged = mergeThings(bs, ms, ts, (key) => {
    const id = `${path}#${key}`
    return Object.hasOwn(choices, id) ? choices[id] : undefined
  })
  conflicts.push(...merged.conflicts.map(({ key, ...conflict }) => ({ id: `${path}#${key}`, path, document, ...conflict })))
  return printText(merged.value)
}
