import { loadTexts } from '#server-kit/ops/texts.ts'

/** Words of the files of a bill, of closings and of options: the names of their columns, and else what the screens say. */
export const statementTexts = () => loadTexts('locales', 'statement', 'bill', 'event', 'assets', 'contract', 'widget')

/** Words of the file of spot orders, in the same way. */
export const orderTexts = () => loadTexts('locales', 'orders', 'spot')

/** Words of the file of OTC orders. */
export const otcTexts = () => loadTexts('locales', 'orders', 'otc', 'statement')

/** Words of the file of copied positions: its columns are those of closings, and those that orders have too. */
export const copyTexts = () => loadTexts('locales', 'statement', 'orders', 'contract', 'follow')
