/** Documents that prove who somebody is. */
export const idTypes = ['id_card', 'passport', 'driver_licence'] as const
export type IdType = (typeof idTypes)[number]

/** Patterns of document numbers. Foreign numbers are not validated in full: an operator reviews the document. */
const numberPatterns: Readonly<Record<IdType, RegExp>> = {
  id_card: /^[\p{L}\p{N}]{5,24}$/u,
  passport: /^[A-Z0-9]{5,12}$/,
  driver_licence: /^[\p{L}\p{N}]{5,24}$/u,
}

/** The number of a document as it is stored: upper case, without separators. Undefined for an invalid one. */
export function documentNumber(type: IdType, text: string): string | undefined {
  if (!idTypes.includes(type)) return undefined
  const number = text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s\-./()]/g, '')
  return numberPatterns[type].test(number) && /\p{N}/u.test(number) ? number : undefined
}
