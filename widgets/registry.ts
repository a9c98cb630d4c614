import { button } from '#widgets/button/button.widget.ts'
import { card } from '#widgets/card/card.widget.ts'
import { empty } from '#widgets/empty/empty.widget.ts'
import { error } from '#widgets/error/error.widget.ts'
import { list } from '#widgets/list/list.widget.ts'
import { navBar } from '#widgets/nav-bar/nav-bar.widget.ts'
import { page } from '#widgets/page/page.widget.ts'
import { quickEntries } from '#widgets/quick-entries/quick-entries.widget.ts'
import { row } from '#widgets/row/row.widget.ts'
import { section } from '#widgets/section/section.widget.ts'
import { skeleton } from '#widgets/skeleton/skeleton.widget.ts'
import { tabBar } from '#widgets/tab-bar/tab-bar.widget.ts'
import { table } from '#widgets/table/table.widget.ts'
import { tableRow } from '#widgets/table-row/table-row.widget.ts'
import { text } from '#widgets/text/text.widget.ts'

/** Every widget of this build. A type named twice stops the start. */
export const widgets = [
  button,
  card,
  empty,
  error,
  list,
  navBar,
  page,
  quickEntries,
  row,
  section,
  skeleton,
  tabBar,
  table,
  tableRow,
  text,
] as const
