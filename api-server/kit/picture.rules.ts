/** Where operators see pictures of customers; the name follows. */
export const pictureAddress = '/console/back-office/picture/'

const kept = '/api/upload/'

/** Where operators see a kept picture, by the address that its owner has. */
export const reviewAddress = (address: string): string => pictureAddress + address.slice(address.startsWith(kept) ? kept.length : 0)

/** Pictures of a row, numbered from 1. */
export const picturesOf = (addresses: readonly string[]): { id: string; src: string }[] =>
  addresses.map((address, index) => ({ id: String(index + 1), src: reviewAddress(address) }))
