/** Drags are told in the console's own words; the library's own sentences stay away. */
const silent = () => undefined
export const quiet = { onDragStart: silent, onDragMove: silent, onDragOver: silent, onDragEnd: silent, onDragCancel: silent }
