import { z } from '#zod'

export const avatarProps = z.object({
  name: z.string().describe('name of the person; its initials are shown if there is no picture'),
  src: z.string().optional(),
  size: z.enum(['sm', 'md', 'lg']).optional(),
  editable: z.boolean().optional().describe('a press selects and uploads a picture; the event uploaded has its address'),
  purpose: z.string().optional().describe('purpose of the picture, an argument of the upload call; avatar by default'),
})
export type AvatarProps = z.output<typeof avatarProps>
