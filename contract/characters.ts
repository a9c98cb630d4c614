/** How the characters of a text are counted and cut: by app, console, documents and servers alike. The first screen of the app does neither. */

/** Characters of one code unit each: Latin, Chinese characters, kana, Korean syllables. */
const single = /^(?:[\t\n\x20-\u02ff\u2010-\u2027\u3001-\u3029\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3])*$/
/** More code points than this are another character, so that a limit of characters is a limit of size. The longest emoji has ten. */
const codePointsMax = 16
/** The time of a segmenter grows faster than its text. */
const piece = 1_024
const ofBrowser = typeof Intl.Segmenter === 'function' ? new Intl.Segmenter('en', { granularity: 'grapheme' }) : null
/** For browsers without a segmenter: letters with their marks, pairs of a flag, emoji with tones and joined ones. */
const clusters =
  /\r\n|\p{Regional_Indicator}{2}|[^\p{M}\r\n](?:\p{M}|[\u0e33\u0eb3]|[\u{1f3fb}-\u{1f3ff}\u{e0020}-\u{e007f}]|\u200d\p{Extended_Pictographic}?)*|[\p{M}\r\n]/gu

/** The clusters of a text, which is read piece by piece: the last one of a piece may go on in the next. */
function* clustersOf(text: string, segmenter: Intl.Segmenter | null): Generator<string> {
  if (!segmenter) return yield* text.match(clusters) ?? []
  for (let from = 0, size = piece; from < text.length; ) {
    const part = text.slice(from, from + size)
    const isLast = from + size >= text.length
    const found = Array.from(segmenter.segment(part), ({ segment }) => segment)
    const last = isLast ? undefined : (found.pop() as string)
    yield* found
    if (last === undefined) return
    const read = part.length - last.length
    from += read
    size = read === 0 ? size * 2 : piece
  }
}

/**
 * The characters that a person sees: a letter with its marks, an emoji with all its parts, a flag. A character of more than 16 code points
 * counts as several.
 * @param most ends after so many
 * @param segmenter null: as a browser without one does
 */
export function charactersOf(text: string, most = Number.POSITIVE_INFINITY, segmenter: Intl.Segmenter | null = ofBrowser): string[] {
  if (single.test(text)) return text.slice(0, most).split('')
  const found: string[] = []
  for (const cluster of clustersOf(text, segmenter)) {
    if (cluster.length <= codePointsMax) found.push(cluster)
    else for (let rest = [...cluster]; rest.length > 0; rest = rest.slice(codePointsMax)) found.push(rest.slice(0, codePointsMax).join(''))
    if (found.length >= most) return found.slice(0, most)
  }
  return found
}

/** How many characters a person sees, counted up to `most`. */
export const lengthOf = (text: string, most?: number): number =>
  single.test(text) ? Math.min(text.length, most ?? text.length) : charactersOf(text, most).length

/** Code units that so many characters have at most: a bound before they are counted. */
export const unitsMax = (characters: number): number => characters * codePointsMax * 2

/**
 * Replaces halves of characters (lone surrogates) by U+FFFD. A database stores them so; a text that is hashed before it is stored must be the
 * text that is read again.
 */
export const wellFormed = (text: string): string => text.replace(/\p{Cs}/gu, '\uFFFD')

/** The first characters of a text, at most `max` UTF-16 units; a character at the end is never cut in half. */
export const clip = (text: string, max: number): string => text.slice(0, max).replace(/\p{Cs}$/u, '')

/** The last characters of a text, at most `max` UTF-16 units; a character at the beginning is never cut in half. */
export const clipStart = (text: string, max: number): string => text.slice(-max).replace(/^\p{Cs}/u, '')
