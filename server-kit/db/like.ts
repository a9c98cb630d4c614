/** Pattern for `like` that finds the text anywhere; its own wildcards are ordinary characters. */
export const anywhere = (text: string): string => `%${text.trim().replace(/[\\%_]/g, '\\$&')}%`

/** Whether a search names one row's subject in full (`draft 12`, `customer:7`): then `draft 1` must not find `draft 12`. */
export const namesOne = (text: string): boolean => /^\w+[ :]\d+$/.test(text.trim())
