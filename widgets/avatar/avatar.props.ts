import { z } from '#zod'

export const avatarProps = z.object({
  name: z.string().describe('whose picture; its first letters stand where there is none'),
  src: z.string().optional(),
  size: z.enum(['sm', 'md', 'lg']).optional(),
  editable: z.boolean().optional().describe('a press picks a picture and sends it; uploaded says its address'),
  purpose: z.string().optional().describe('what the picture is for, as the upload takes it; avatar unless given'),
})
export type AvatarProps = z.output<typeof avatarProps>
