import { spoken } from '#console/editor/document/known.ts'
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

/** Messages of the checks with their texts in the console. A named group of the pattern is an argument of the text. */
const sentences: readonly [RegExp, key: string, names: readonly string[]][] = [
  [/^"([^"]+)" is missing$/, 'said_missing', ['name']],
  [/^"([^"]+)" is not a member here$/, 'said_unknown_member', ['name']],
  [/^(?:.*: )?expected (\w+), received (\w+)$/, 'said_shape', ['wanted', 'found']],
  [/^([\s\S]+) is none of the names known here$/, 'said_unknown_name', ['value']],
  [/^at least (\d+) (?:entry|entries)$/, 'said_too_few', ['count']],
  [/^at most (\d+) (?:entry|entries)$/, 'said_too_many', ['count']],
  [/^at least (\d+) characters?$/, 'said_short', ['count']],
  [/^at most (\d+) characters?$/, 'said_long', ['count']],
  [/^at least one member is needed$/, 'said_nothing', []],
  [/^([\s\S]+) is too small$/, 'said_small', ['value']],
  [/^([\s\S]+) is too large$/, 'said_large', ['value']],
  [/^this entry occurs twice$/, 'said_entry_twice', []],
  [/^"([^"]+)" is not a name here$/, 'said_not_a_name', ['name']],
  [/^([\s\S]+) is not written in the form that is needed here$/, 'said_pattern', []],
  [/^the expression is empty$/, 'said_nothing', []],
  [/^this cannot be parsed: ([\s\S]*)$/, 'said_unfinished', ['text']],
  [/^(?:\S+: )?there is no \w[\w-]* "([^"]*)"$/, 'said_no_such', ['name']],
  [/^"([^"]+)" has no text in ([\w, -]+)$/, 'said_no_text', ['key', 'languages']],
  [/^"([^"]+)" uses \{\{([^}]+)\}\} in [\w-]+, not in ([\w-]+)$/, 'said_lost_placeholder', ['key', 'placeholder', 'language']],
  [/^"([^"]+)" uses \{\{([^}]+)\}\} in ([\w-]+), unlike most languages$/, 'said_odd_placeholder', ['key', 'placeholder', 'language']],
  [/^no document uses "([^"]+)"$/, 'said_unsaid', ['key']],
  [/^the text "([^"]+)" requires "([^"]+)"$/, 'said_wants', ['key', 'name']],
  [/^(\S+) is already defined in (.+)$/, 'said_twice', ['name', 'file']],
  [
    /^the address "([^"]+)" shows the screen "([^"]+)", and the new screen "([^"]+)" takes/,
    'said_takes_address',
    ['address', 'was', 'now'],
  ],
  [/^the address "([^"]+)" showed the screen "([^"]+)" and now shows "([^"]+)"$/, 'said_other_screen', ['address', 'was', 'now']],
  [/^(?:(?:Invalid string: )?must match pattern |letters, digits, dot, dash$)/, 'said_pattern', []],
  [/^the expression is incomplete$/, 'said_incomplete', []],
  [/^type or type@major$/, 'said_widget_name', []],
  [/^one of ([\s\S]+) is expected here$/, 'said_one_of_shapes', ['names']],
  [/^"?(.+?)"? is not one of (.+)$/, 'said_not_one_of', ['found', 'names']],
  [/^Too big: expected \w+ to have <=(\d+) items$/, 'said_too_many', ['count']],
  [/^Too small: expected \w+ to have >=(\d+) items$/, 'said_too_few', ['count']],
  [/^Too big: expected (?:number|int) to be <=?(\S+)$/, 'said_number_big', ['max']],
  [/^Too small: expected (?:number|int) to be >=?(\S+)$/, 'said_number_small', ['min']],
  [/^a literal is not a condition$/, 'said_condition', []],
  [/^there is no expression$/, 'said_no_formula', []],
  [/^(.+) is not expected here$/, 'said_stands_wrong', ['found']],
  [/^(.+) where "(.)" is not closed yet$/, 'said_not_closed', ['found', 'sign']],
  [/^"(.+)" is neither a path nor a keyword; put texts in quotes$/, 'said_neither', ['found']],
  [/^"(.+)" takes (.+) values, not (\d+)$/, 'said_takes_count', ['name', 'wanted', 'found']],
  [
    /^(?:a comparison of a comparison needs parentheses|"not" needs parentheses here|"!" is written as a word)$/,
    'said_needs_parentheses',
    [],
  ],
  [/^a path must start with its root$/, 'said_root', []],
  [/^"(.+)": paths start with /, 'said_roots', ['path']],
  [/^(.+) is not allowed here$/, 'said_character', ['found']],
  [/^a bracket is not closed$/, 'said_open_bracket', []],
  [/^a text is not closed/, 'said_open_text', []],
  [/^a name is missing after the dot$/, 'said_after_dot', []],
  [/^there is no "(.+)" in "(.+)"$/, 'said_no_member', ['name', 'around']],
  [/^"(.+)" has no members$/, 'said_no_members', ['name']],
  [/^"(.+)" is only available inside a repeat$/, 'said_only_repeat', ['name']],
  [/^"(.+)" is only available inside an action$/, 'said_only_action', ['name']],
  [/^"(.+)" cannot be read here$/, 'said_not_here', ['name']],
  [/^"(.+)" is a list: read a row by number or \[key\], its length with "len"$/, 'said_is_list', ['name']],
  [/^"(.+)" is empty in ([\w-]+)$/, 'said_text_empty', ['key', 'language']],
  [/^"(.+)" is still English in ([\w-]+); /, 'said_text_english', ['key', 'language']],
  [/^"(.+)" is displayed text: use a text key$/, 'said_fixed_text', ['found']],
  [/^the field "(.+)" refuses (.+?): [\s\S]+$/, 'said_default', ['name', 'value']],
  [/^a field of type enum requires "options"$/, 'said_needs_options', []],
  [/^"(.+)" has no effect on a field of type (\w+)$/, 'said_no_effect', ['name', 'type']],
  [/^"(.+)" can be hidden; then it is absent/, 'said_hidden_field', ['name']],
  [/^all entries of the tab bar are hidden/, 'said_all_hidden', []],
  [/^a segment reads session, device and app only, not "(.+)"$/, 'said_segment_reads', ['path']],
  [/^"(.+)" occurs twice/, 'said_duplicate_id', ['name']],
  [/^a value cannot be computed from itself/, 'said_calculated_circle', []],
  [/^"(.+)" needs "(.+)"$/, 'said_use_needs', ['fragment', 'name']],
  [/^(?:.*: )?null where .+ is expected$/, 'said_null', []],
  [/^(?:.*: )?a decimal as text/, 'said_decimal', []],
  [/^([\w.]+) takes no "(.+)"$/, 'said_takes_no', ['call', 'name']],
  [/^([\w.]+) requires "(.+)"$/, 'said_requires', ['call', 'name']],
  [/^(\S+) needs a login, and "(.+)" is open to visitors$/, 'said_needs_login', ['call', 'path']],
  [/^(\S+) requires a login, but is only reachable without one$/, 'said_login_reach', ['call']],
  [/^the id "(.+?)" is already used/, 'said_id_used', ['name']],
  [/^the form has no field "(.+)"$/, 'said_field_none', ['name']],
  [/^no call here answers "(.+)"$/, 'said_no_code', ['code']],
  [/^(\S+) moves money, but at least one path to it has no "confirm"$/, 'said_no_prompt', ['call']],
  [/^the address is taken: (\S+) shows the screen "(.+)"$/, 'said_address_taken', ['address', 'screen']],
  [/^the tab bar has no entry "(.+)"$/, 'said_tab_missing', ['name']],
  [/^"(\w+)" reads nothing, so it is always the same$/, 'said_condition_same', ['name']],
  [/^(?:"\w+" never holds|this is never true|this is never shown)/, 'said_never_holds', []],
  [/^(?:no value satisfies "min" and "max" of|the minimum \S+ is greater than the maximum|the minimum length)/, 'said_min_max', []],
  [/^there are no options$/, 'said_no_options', []],
  [/^a step must be greater than 0$/, 'said_step_zero', []],
  [/^"(.+)" occurs twice in the options$/, 'said_option_twice', ['name']],
  [/^the value of "(.+)" is neither sent nor read$/, 'said_not_sent', ['name']],
  [/^nothing opens the sheet "(.+)"$/, 'said_no_sheet_opener', ['name']],
  [/^nothing reads (?:the answer of "|")(.+)"$/, 'said_unread', ['name']],
  [/^(?:the action "(.+)" is never used|nothing runs the action ".+")$/, 'said_action_unused', ['name']],
  [/^the screen has no action "(.+)"$/, 'said_no_action', ['name']],
  [/^the prompt "(.+)" reads "params\.(.+)", which is not given$/, 'said_prompt_lacks', ['prompt', 'name']],
  [/^the prompt "(.+)" does not read "(.+)"$/, 'said_prompt_extra', ['prompt', 'name']],
  [/^the text "(.+)" does not use "(.+)"$/, 'said_text_unused_arg', ['key', 'name']],
  [/^"(.+)" is (\d+) letters wide in ([\w-]+); (\d+) fit here$/, 'said_too_wide', ['key', 'width', 'language', 'most']],
  [/^(\S+) "(.+)" has no accessible name: set "(.+)"$/, 'said_no_label', ['widget', 'name', 'member']],
  [/^"(.+)" takes at most (\d+), not (\d+)$/, 'said_slot_most', ['name', 'most', 'found']],
  [/^"(.+)" is never "(.+)", only (.+)$/, 'said_never_word', ['path', 'found', 'names']],
  [/^"(.+)" is a secret/, 'said_secret', ['name']],
]
const shapes = ['object', 'array', 'string', 'number', 'boolean', 'null']

/** The message in the console's language where its pattern is known; pointers in it are replaced by names. */
export function messageInWords(message: string, doc: unknown, say: Say, words: Words): string {
  for (const [pattern, key, names] of sentences) {
    const found = pattern.exec(message)
    if (!found) continue
    const args = Object.fromEntries(
      names.map((name, i) => [name, found[i + 1] === 'the end' ? say('editor.the_end') : (found[i + 1] ?? '')]),
    )
    if (key === 'said_shape') {
      if (!shapes.includes(args.wanted ?? '') || !shapes.includes(args.found ?? '')) break
      return say('editor.said_shape', { wanted: say(`editor.shape_${args.wanted}`), found: say(`editor.shape_${args.found}`) })
    }
    if (key === 'said_no_such' && args.name === '') return say('editor.said_choose')
    return say(`editor.${key}`, args)
  }
  return message.replace(
    /(?<![\w"/])\/(?:entries|fields|body|rules|data|actions|routes|languages)(?:\/[\w~$.-]+)+/g,
    (pointer) => placeInWords(doc, pointer, say, words) || pointer,
  )
}
