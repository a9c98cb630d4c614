/**
 * How text that people type is read: one fold for width, composition and digits (characters.ts counts). App, console, documents and servers
 * use the same functions, so that they judge alike.
 */

/** Signs, letters, digits and the blank in full width, and the small forms of signs. */
const wide = /[\uff01-\uff5e\ufe50-\ufe6f\u3000]/g
const foreignDigit = /(?![0-9])\p{Nd}/gu
const digit = /^\p{Nd}$/u
const ascii = /^[\0-\x7f]*$/

/** Unicode keeps the ten digits of each script together, zero first, so the distance to the start of them is the value. */
function digitOf(sign: string): string {
  const code = sign.codePointAt(0) as number
  let first = code
  while (digit.test(String.fromCodePoint(first - 1))) first--
  return String((code - first) % 10)
}

/**
 * The text as an ASCII keyboard would have typed it: composed (NFC), full width as usual width, decimal digits of every script as
 * 0 to 9. Superscripts, fractions and Roman numerals stay, because they are no digits of a number.
 */
export function folded(text: string): string {
  if (ascii.test(text)) return text
  return text
    .normalize('NFC')
    .replace(wide, (sign) => sign.normalize('NFKC'))
    .replace(foreignDigit, digitOf)
}

/** Accents of European scripts, vowel signs of Arabic and Hebrew, and signs that cannot be seen. Marks of other scripts make other words. */
const unsearched = /[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u064b-\u065f\u0670]|\p{Default_Ignorable_Code_Point}/gu

/** A text as a search compares it: folded, without case, accents and unseen signs. Both the text and the query take this form. */
export function searchForm(text: string): string {
  if (ascii.test(text)) return text.toLowerCase()
  return folded(text).normalize('NFKD').replace(unsearched, '').toLowerCase().normalize('NFC')
}
