import * as z from 'zod'
import { contract } from '#contract/contract.ts'
import { differenceOf } from '#contract/held.ts'
import { plannedCalls } from '#contract/planned.ts'
import { rowsOf, type TopicMessage } from '#contract/topic.ts'
import { topics } from '#contract/topics.ts'

/** Holds answers and pushed rows against the contract, in a page of `npm run dev`: each difference is one line of the browser's console. */

// The content policy of the page forbids code that is made from text.
z.config({ jitless: true })

const calls: Readonly<Record<string, { output: z.ZodType } | undefined>> = { ...contract, ...plannedCalls }
const outputOf = (name: string) => (Object.hasOwn(calls, name) ? calls[name]?.output : undefined)

export function judgeAnswer(name: string, data: unknown): void {
  const output = outputOf(name)
  const difference = output && differenceOf(output, data)
  if (difference)
    console.error(`[contract] ${name} answers other than the contract says, at ${difference.path}: ${difference.expected}`, data)
}

/** Of a removed row only the key is sent. */
export function judgeRow({ topic, change, row }: TopicMessage): void {
  const output = outputOf(rowsOf(topic, topics)?.call ?? '')
  if (!output || !row || change === 'remove') return
  const difference = differenceOf(output, { list: [row], total: 1 }, true)
  if (difference)
    console.error(
      `[contract] a row of ${topic} is other than the contract says, at ${difference.path.slice(7)}: ${difference.expected}`,
      row,
    )
}
