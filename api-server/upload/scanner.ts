import type { PictureKind } from '#contract/picture.ts'

/**
 * Scans an uploaded file before it is decoded or stored, for example for viruses or forbidden pictures.
 * A refused file is neither stored nor served. An error refuses the file too, and the client may try again.
 */
export type Scanner = (bytes: Buffer, kind: PictureKind) => Promise<'ok' | 'bad'>

/** For an installation without a scanner. Re-encoding keeps only pixels in any case. */
export const noScanner: Scanner = async () => 'ok'
