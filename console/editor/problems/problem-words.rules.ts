import { spoken } from '#console/editor/document/known.ts'
import messages from '#console/editor/problems/messages.json'
import type { Say } from '#console/io/words.ts'
import { isObject } from '#language/documents/json.ts'
import { segmentsOf } from '#language/text/position.ts'

/** Problems in words that operators know: the place by visible names, the message in the console's language. */

type Words = Readonly<Record<string, string>>

/** The name of a node or entry for operators: its text, else its id. */
function nameOf(value: unknown, words: Words): string {
  if (!isObject(value)) return ''
  const shown = spoken(value.label ?? value.title ?? (isObject(value.props) ? (value.props.label ?? value.props.title) : undefined), words)
  const own = value.id ?? value.name
  return shown || (typeof own === 'string' ? own : '')
}

/** The noun for the members of a list, or for one named member of a map: `entries` → "Entry". */
const lists: Readonly<Record<string, string>> = {
  entries: 'place_entry',
  fields: 'place_field',
  rules: 'place_rule',
  data: 'place_source',
  actions: 'place_action',
  routes: 'place_route',
  languages: 'place_language',
}

/** The place of a problem: "Entry Markets, label". Empty for the document as a whole. */
export function placeInWords(doc: unknown, pointer: string, say: Say, words: Words): string {
  const steps = segmentsOf(pointer)
  const parts: string[] = []
  let member = ''
  let value = doc
  let around = ''
  for (const step of steps) {
    value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[step] : undefined
    const list = lists[around]
    if (isObject(value) && typeof value.widget === 'string' && around !== 'fields') {
      // A place inside a node is named by the node alone.
      parts.splice(0, parts.length, say('editor.place_node', { name: nameOf(value, words) || value.widget }))
      member = ''
    } else if (list !== undefined && parts.length === 0) {
      const isIndex = /^\d+$/.test(step)
      parts.push(say(`editor.${list}`, { name: nameOf(value, words) || (isIndex ? String(Number(step) + 1) : step) }))
      member = ''
    } else if (!/^\d+$/.test(step) && !['body', 'slots', 'props', 'on', '$t', '$', 'var', ...Object.keys(lists)].includes(step))
      member = step
    around = step
  }
  if (member !== '') parts.push(member)
  return parts.join(', ')
}

/** A template of messages.json as a pattern: `{{name}}` is any text, `{{name:d}}` a number, `{{name:w}}` one word, `{{name:q}}` may be empty. */
function patternOf(template: string): RegExp {
  const forms = { d: '-?\\d[\\d.,]*', w: '\\S+', q: '[^"]*' }
  const parts = template.split(/(\{\{\w+(?::[dwq])?\}\})/).map((part) => {
    const [, name, form] = /^\{\{(\w+)(?::([dwq]))?\}\}$/.exec(part) ?? []
    if (name === undefined) return part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    return `(?<${name}>${form ? forms[form as keyof typeof forms] : '[\\s\\S]+?'})`
  })
  return new RegExp(`^${parts.join('')}$`)
}

/** Messages of the checks, in English with placeholders, and the keys of their texts in `said` of the console. The first that fits counts. */
const sentences = Object.entries(messages).map(([template, key]) => ({ pattern: patternOf(template), key }))

const shapes: Readonly<Record<string, string>> = {
  object: 'shape_object',
  record: 'shape_object',
  array: 'shape_array',
  string: 'shape_string',
  number: 'shape_number',
  int: 'shape_number',
  integer: 'shape_number',
  boolean: 'shape_boolean',
  null: 'shape_null',
  'the end': 'the_end',
  'the element': 'the_element',
  'a text': 'phrase_a_text',
  'any text': 'phrase_any_text',
  'a displayed text': 'phrase_a_displayed_text',
  'a number': 'phrase_a_number',
  'a whole number': 'phrase_a_whole_number',
  'a list': 'phrase_a_list',
  'an object': 'phrase_an_object',
  'true or false': 'phrase_true_or_false',
  'something else': 'phrase_something_else',
  'one of its values': 'phrase_one_of_its_values',
  'one of some words': 'phrase_one_of_some_words',
  'a text of at most 2,000 characters': 'phrase_a_text_of_at_most_2',
  'a whole number of at most 15 digits': 'phrase_a_whole_number_of_at_most',
  'a decimal as text': 'phrase_a_decimal_as_text',
  'a decimal as text: digits, with a dot before decimals and without an exponent': 'phrase_a_decimal_as_text_digits_with',
  'an amount': 'phrase_an_amount',
  'a share': 'phrase_a_share',
  'a share (0 to 1)': 'phrase_a_share',
  'a percentage (0 to 100)': 'phrase_a_percentage',
  'a rate': 'phrase_a_rate',
  'a price': 'phrase_a_price',
  lots: 'phrase_lots',
  milliseconds: 'phrase_milliseconds',
  seconds: 'phrase_seconds',
}
const joined: readonly [RegExp, key: string][] = [
  [/^one of (?<names>.+)$/, 'phrase_one_of'],
  [/^the text "(?<name>.+)"$/, 'phrase_the_text'],
  [/^a name of kind (?<kind>\S+)$/, 'phrase_name_of_kind'],
  [/^(?<what>an? \w+) in (?<coin>\S+)$/, 'phrase_in_coin'],
]

/** The part of a message that names a kind of value: `an amount in USD`. Any other text is a name and stays. */
export function phraseInWords(text: string, say: Say): string {
  if (Object.hasOwn(shapes, text)) return say(`said.${shapes[text]}`)
  const [one, other] = text.split(' or ')
  if (one !== undefined && other !== undefined && Object.hasOwn(shapes, one) && Object.hasOwn(shapes, other))
    return say('said.phrase_or', { a: phraseInWords(one, say), b: phraseInWords(other, say) })
  for (const [pattern, key] of joined) {
    const found = pattern.exec(text)?.groups
    if (found) return say(`said.${key}`, inWords(found, say))
  }
  return text
}
const inWords = (found: Readonly<Record<string, string>>, say: Say) =>
  Object.fromEntries(Object.entries(found).map(([name, text]) => [name, phraseInWords(text, say)]))

function sentenceInWords(message: string, say: Say): string | undefined {
  for (const { pattern, key } of sentences) {
    const found = pattern.exec(message)
    if (!found) continue
    const args = inWords(found.groups ?? {}, say)
    if (key === 'no_such' && args.name === '') return say('said.choose')
    if (key !== 'with_place') return say(`said.${key}`, args)
    const why = sentenceInWords(args.why ?? '', say)
    if (why !== undefined) return say('said.with_place', { place: args.place, why })
  }
  return undefined
}

/** The message in the console's language. A message without a text there stays; pointers in it are replaced by names. */
export function messageInWords(message: string, doc: unknown, say: Say, words: Words): string {
  return (
    sentenceInWords(message, say) ??
    message.replace(
      /(?<![\w"/])\/(?:entries|fields|body|rules|data|actions|routes|languages)(?:\/[\w~$.-]+)+/g,
      (pointer) => placeInWords(doc, pointer, say, words) || pointer,
    )
  )
}
