import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

const message = z.object({
  id: z.union([z.string(), z.int()]),
  at: z.int().describe('when it was sent, ms or s since 1970 UTC'),
  mine: z.boolean().optional().describe('the reader wrote it'),
  name: z.string().optional().describe('who wrote it; stands over the first of a run of messages of others'),
  avatar: z.string().optional(),
  text: z.string().optional(),
  picture: z.string().optional().describe('path on our own host'),
  state: z.enum(['sent', 'seen', 'pending', 'failed']).optional().describe('of own messages: what became of it'),
})

export const messageListProps = z.object({
  label: text(),
  messages: z.array(message).describe('newest first, as pages come'),
  pending: z
    .array(message)
    .max(50)
    .optional()
    .describe('own messages that the server does not have yet, in any order; one that `messages` has by the same id is left out'),
  more: z.boolean().optional().describe('there are older messages'),
  loadingMore: z.boolean().optional(),
  emptyText: text().optional(),
})
export type MessageListProps = z.output<typeof messageListProps>
