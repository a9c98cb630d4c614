import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

const message = z.object({
  id: z.union([z.string(), z.int()]),
  at: z.int().describe('time of sending, ms or s since 1970 UTC'),
  mine: z.boolean().optional().describe('the reader is the author'),
  name: z.string().optional().describe('author, shown above the first of consecutive messages of others'),
  avatar: z.string().optional(),
  text: z.string().optional(),
  picture: z.string().optional().describe('path on the host of the app'),
  state: z.enum(['sent', 'seen']).optional().describe('delivery state of own messages that the server has'),
  sending: z
    .enum(['pending', 'sent', 'failed'])
    .optional()
    .describe('of a message that this device sends, by `send` of its source: the list offers to send a failed one again or to leave it'),
  sendingProblem: z.string().optional().describe('why it failed'),
})

export const messageListProps = z.object({
  label: text(),
  messages: z.array(message).describe('newest first, in the order of the pages'),
  more: z.boolean().optional().describe('there are older messages'),
  loadingMore: z.boolean().optional(),
  emptyText: text().optional(),
})
export type MessageListProps = z.output<typeof messageListProps>
