import { areaOf } from '#console/io/sources.ts'
import type { Say } from '#console/io/words.ts'
import { isObject } from '#language/documents/json.ts'
import type { Change, DocumentDiff } from '#language/publish/publishing.ts'
import { toText } from '#language/text/infix.ts'

/** One change as a sentence for readers who do not know the documents. */
export interface Sentence {
  id: string
  kind: Change['kind']
  text: string
  /** Pointer of the change, for a link into the editor; empty for the whole file. */
  pointer: string
  path: string
}
export interface Speech {
  say: Say
  /** Text of a key in the operator's language; undefined where there is none. */
  wordsOf: (key: string) => string | undefined
  /** Native name of a language, by its id. */
  languageName: (id: string) => string
  /** Language tag for Intl. */
  tag: string
}

const longMax = 60
const short = (text: string) => (text.length > longMax ? `${text.slice(0, longMax - 1)}…` : text)

/** A value for people to read: the text of a key, logic as text. Undefined for a value longer than a line. */
export function shownValue(value: unknown, { say, wordsOf }: Pick<Speech, 'say' | 'wordsOf'>, member: string): string | undefined {
  if (value === undefined) return say('review.value.none')
  if (typeof value === 'string') return `“${short(value)}”`
  if (typeof value === 'number') return String(value)
  if (typeof value === 'boolean') return say(value ? 'review.value.yes' : 'review.value.no')
  if (value === null) return say('review.value.none')
  if (!isObject(value)) return undefined
  if (typeof value.$t === 'string') return `“${short(wordsOf(value.$t) ?? value.$t)}”`
  const logic = '$' in value ? value.$ : /^(?:show|enable|when|test|if|required)$/.test(member.split('.').at(-1) ?? '') ? value : undefined
  if (logic === undefined) return undefined
  if (typeof logic === 'string') return logic
  try {
    return short(toText(logic))
  } catch {
    return undefined
  }
}

/** `props.title` → Title; the name itself where the console has no text for it. */
export function memberName(member: string, say: Say): string {
  const [first, second] = member.split('.')
  const name = first === 'props' || first === 'on' ? (second ?? first) : (first ?? member)
  const key = first === 'on' ? 'review.member.on' : `review.member.${name}`
  const words = say(key, { name })
  return words === key ? name : words
}

function sentence(change: Change, speech: Speech): string {
  const { say } = speech
  const { kind, node, member } = change
  const name = node ?? ''
  if (member === '' || kind !== 'changed') {
    if (kind === 'renamed') return say('review.say.renamed', { name: String(change.before ?? name), to: String(change.after ?? name) })
    const [before, after] = [shownValue(change.before, speech, ''), shownValue(change.after, speech, '')]
    if (
      kind === 'changed' &&
      node !== null &&
      change.before !== undefined &&
      change.after !== undefined &&
      before !== undefined &&
      after !== undefined
    )
      return say('review.say.value', { name, before, after })
    return node === null ? say(`review.say.whole_${kind}`) : say(`review.say.${kind}`, { name })
  }
  if (member === 'hidden') return say(change.after === true ? 'review.say.hidden' : 'review.say.shown', { name })
  const what = memberName(member, say)
  const [before, after] = [shownValue(change.before, speech, member), shownValue(change.after, speech, member)]
  if (change.before === undefined && after !== undefined)
    return say(node === null ? 'review.say.whole_set' : 'review.say.set', { name, what, after })
  if (change.after === undefined) return say(node === null ? 'review.say.whole_unset' : 'review.say.unset', { name, what })
  if (before !== undefined && after !== undefined && before !== after)
    return say(node === null ? 'review.say.whole_from_to' : 'review.say.from_to', { name, what, before, after })
  return say(node === null ? 'review.say.whole_member' : 'review.say.member', { name, what })
}

/** The changes of one document as sentences. A file with other formatting only gets one sentence that says so. */
export function sentencesOf(diff: DocumentDiff, speech: Speech): Sentence[] {
  const { path, state, changes } = diff
  const whole = (kind: Change['kind'], text: string): Sentence => ({ id: `${path} ${kind}`, kind, text, pointer: '', path })
  if (state === 'added') return [whole('added', speech.say('review.say.file_added'))]
  if (state === 'removed') return [whole('removed', speech.say('review.say.file_removed'))]
  if (changes.length === 0) return [whole('changed', speech.say('review.say.formatting'))]
  return changes.map((change, index) => ({
    id: `${path} ${index}`,
    kind: change.kind,
    text: sentence(change, speech),
    pointer: change.pointer,
    path,
  }))
}

/** Changed text keys, each once: `Text “Mining” (home.mining) changed in English and 简体中文.` */
export function textSentences(diffs: readonly DocumentDiff[], speech: Speech): Sentence[] {
  const found = new Map<string, { kind: Change['kind']; key: string; languages: string[]; pointer: string; path: string }>()
  for (const { path, changes } of diffs) {
    const [language, area] = areaOf(path) ?? []
    if (language === undefined) continue
    for (const { kind, node, pointer } of changes) {
      const key = node === null ? area! : node.startsWith(`${area}.`) ? node : `${area}.${node}`
      const id = `${kind} ${key}`
      const one = found.get(id) ?? { kind, key, languages: [], pointer, path }
      one.languages.push(language)
      found.set(id, one)
    }
  }
  const list = new Intl.ListFormat(speech.tag, { type: 'conjunction' })
  return [...found].map(([id, { kind, key, languages, pointer, path }]) => {
    const words = speech.wordsOf(key)
    const args = { key, words: words === undefined ? '' : short(words), languages: list.format(languages.map(speech.languageName)) }
    const verb = kind === 'added' || kind === 'removed' ? kind : 'changed'
    return { id, kind, text: speech.say(`review.say.text_${verb}${words === undefined ? '_bare' : ''}`, args), pointer, path }
  })
}
