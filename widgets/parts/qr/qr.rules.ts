/** Path of the dark modules, one unit each, row by row; adjacent modules in a row are one rectangle. */
export function squares(size: number, dark: (row: number, column: number) => boolean): string {
  let path = ''
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; ) {
      if (!dark(row, column)) {
        column++
        continue
      }
      let end = column + 1
      while (end < size && dark(row, end)) end++
      path += `M${column} ${row}h${end - column}v1H${column}z`
      column = end
    }
  }
  return path
}
