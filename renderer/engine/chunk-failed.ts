import type { Problems } from '#renderer/engine/types.ts'

/** Name of the window's event for a part of the app that is to be shown and does not load. */
export const chunkFailed = 'chunk-failed'

/** Listens for parts of the app that do not load. */
export function watchChunks(problems: Problems, page: Pick<Window, 'addEventListener'>): void {
  page.addEventListener(chunkFailed, () => navigator.onLine && problems.tell('chunk_load_failed'))
}
