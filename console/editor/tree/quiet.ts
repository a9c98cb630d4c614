/** Silences the announcements of dnd-kit; the console makes its own. */
const silent = () => undefined
export const quiet = { onDragStart: silent, onDragMove: silent, onDragOver: silent, onDragEnd: silent, onDragCancel: silent }
