import { charactersOf } from '#contract/characters.ts'

const firstSign = (text: string) => charactersOf(text, 1)[0] ?? ''

/** Initials in place of a picture: first letters of the first and last word, or the first character of a single word. '' without a name. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean)
  const first = firstSign(words[0] ?? '')
  const last = words.length > 1 ? firstSign(words.at(-1)!) : ''
  return `${first}${last}`.toLocaleUpperCase()
}
