import * as z from 'zod'

/** How a status looks: colours of the theme. */
export type StatusTone = 'default' | 'quiet' | 'accent' | 'up' | 'down' | 'warn'

/**
 * The statuses of a row, with their label and tone, in one place for servers, screens, exports and the back office. The label of a status is
 * the text `<text>_<status>`. A row that customers and operators read in different words has a set for each of them.
 * @param states all of them, in order
 * @param text stem of the keys of the labels: `otc.state`
 */
export const statusSet = <const State extends string>(
  states: readonly [State, ...State[]],
  text: string,
  tones: Readonly<Record<NoInfer<State>, StatusTone>>,
) => z.enum(states as [State, ...State[]]).meta({ status: { text, tones } })
