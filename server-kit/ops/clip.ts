/**
 * Replaces halves of characters (lone surrogates) by U+FFFD. A database stores them so; a text that is hashed before it is stored must be the
 * text that is read again.
 */
export const wellFormed = (text: string): string => text.replace(/\p{Cs}/gu, '\uFFFD')

/** The first characters of a text, at most `max` UTF-16 units; a character at the end is never cut in half. */
export const clip = (text: string, max: number): string => text.slice(0, max).replace(/\p{Cs}$/u, '')

/** The last characters of a text, at most `max` UTF-16 units; a character at the beginning is never cut in half. */
export const clipStart = (text: string, max: number): string => text.slice(-max).replace(/^\p{Cs}/u, '')
