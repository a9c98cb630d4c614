import { aboutWidget } from '#console/editor/document/read.ts'
import { optionalWords } from '#console/editor/values/Fields.tsx'
import { labelOf } from '#console/editor/values/fields.rules.ts'
import type { Say } from '#console/io/words.ts'

/** The name of a widget and a sentence about it: words of the console where it has some, else those of the widget. */
export function widgetWords(say: Say, type: string): { name: string; about: string } {
  return {
    name: optionalWords(say, `widgets.${type}`) || labelOf(type),
    about: optionalWords(say, `widgets.${type}_about`) || (aboutWidget[type] ?? ''),
  }
}
