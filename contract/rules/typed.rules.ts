import { folded } from '#contract/text.ts'

/** Marks of direction, blanks without width and the byte-order mark: copied along with a text, seen by nobody. */
const unseen = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g

/** Of these the marks of direction, which telephone books put around a number that is copied. */
const directions = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Hyphens and dashes of any length, the minus sign, and their small and wide forms. */
const dashes = /[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g
/** Signs that documents and keyboards write for an apostrophe. */
const apostrophes = /[\u0060\u00b4\u02b9\u02bb\u02bc\u02c8\u2018\u2019\u201b\u2032\u055a\ua78c\uff07\uff40]/g
/** Letters that carry meaning when they join or part their neighbours, as in Persian and the scripts of India. */
const joining =
  /[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Syriac}\p{Script=Mongolian}]/u

const single = (text: string) => text.replace(/[\s\p{Zs}]+/gu, ' ').trim()

/** A typed text without marks of direction: what is sent reads as it was seen. */
export const withoutDirections = (text: string): string => text.replace(directions, '')

/**
 * A typed contact or number as ASCII writes it: full width becomes ordinary, every kind of dash a hyphen, every blank a single space;
 * marks that nobody sees are gone.
 */
export const typedLine = (text: string): string => single(folded(text.replace(dashes, '-').replace(unseen, '')))

/**
 * A typed name: dashes and apostrophes have one form, blanks are single, full width Latin is ordinary and half-width katakana full.
 * Plain marks of direction go; those that turn a text stay, and no rule of names takes them. A
 * joiner (U+200C, U+200D) stays in scripts that need it and goes from all others.
 */
export function typedName(text: string): string {
  const plain = folded(text)
    .replace(dashes, '-')
    .replace(apostrophes, "'")
    .replace(/[\u200e\u200f\ufeff]/g, '')
    .replace(/[\uff65-\uff9f]+/g, (narrow) => narrow.normalize('NFKC'))
  return single(joining.test(plain) ? plain : plain.replace(/[\u200c\u200d]/g, ''))
}
