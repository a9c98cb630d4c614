import { pointerOf, valueAt } from '#console/editor/document/pointer.ts'
import { editText, printText } from '#language/edit.ts'

type Files = Readonly<Record<string, string>>

/** File of a key's words in one language: `home.hot` in en is locales/en/home.json. */
export function fileOfKey(key: string, language: string): string {
  return `locales/${language}/${key.split('.', 1)[0]}.json`
}

/** Pointer of a key in its file; nested areas and names with dots are both found. A new key stands at the top. */
export function pointerOfKey(key: string, tree: unknown): string {
  const rest = key.slice(key.indexOf('.') + 1)
  const whole = pointerOf([rest])
  if (valueAt(tree, whole) !== undefined) return whole
  const nested = pointerOf(rest.split('.'))
  return rest.includes('.') && valueAt(tree, pointerOf(rest.split('.').slice(0, -1))) !== undefined ? nested : whole
}

/** Text of the file with other words for a key; words that are undefined take the key out. @throws EditProblem where the file is not JSON */
export function withWords(files: Files, key: string, language: string, words: string | undefined): { path: string; text: string } {
  const path = fileOfKey(key, language)
  const before = files[path]
  if (before === undefined) return { path, text: printText(words === undefined ? {} : { [key.slice(key.indexOf('.') + 1)]: words }) }
  return { path, text: editText(before, pointerOfKey(key, parsed(before)), words) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const keyPattern = /^[a-z][A-Za-z0-9-]*\.[A-Za-z0-9_]+$/

/** Why a new key may not be used; null where it may. */
export function refuseKey(key: string, taken: Readonly<Record<string, string>>): 'shape' | 'taken' | null {
  if (!keyPattern.test(key)) return 'shape'
  return Object.hasOwn(taken, key) ? 'taken' : null
}

/** A key for new words: the area of the document and a name made of the words. */
export function proposedKey(area: string, words: string, taken: Readonly<Record<string, string>>): string {
  const name =
    words
      .toLowerCase()
      .normalize('NFKD')
      .replaceAll(/[^a-z0-9]+/g, '_')
      .replaceAll(/^_+|_+$/g, '')
      .split('_')
      .slice(0, 4)
      .join('_') || 'text'
  const first = `${area}.${name}`
  if (!Object.hasOwn(taken, first)) return first
  for (let n = 2; ; n += 1) if (!Object.hasOwn(taken, `${first}_${n}`)) return `${first}_${n}`
}
