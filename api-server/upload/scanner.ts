import type { PictureKind } from '#api-server/upload/picture.rules.ts'

/**
 * Looks at a file as it came, before anything is drawn or kept: a virus scanner, or one for forbidden pictures.
 * What it calls bad is neither kept nor served. An error refuses the file too, as one to send again.
 */
export type Scanner = (bytes: Buffer, kind: PictureKind) => Promise<'ok' | 'bad'>

/** For an installation without one: pictures are drawn anew in any case, so that what is kept holds nothing but pixels. */
export const noScanner: Scanner = async () => 'ok'
