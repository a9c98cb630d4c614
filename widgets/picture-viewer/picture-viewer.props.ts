import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const pictureViewerProps = z.object({
  label: text().describe('names the pictures; each has its number beside it'),
  pictures: z
    .array(
      z.object({
        id: z.string(),
        src: z.string().describe('path on our own host'),
        title: text().optional().describe('stands below, and names the picture'),
      }),
    )
    .max(200)
    .describe('each is fetched when it comes near'),
  columns: z.int().min(2).max(4).optional().describe('a gallery: so many in a line; unless given, as many as there is room for'),
  fill: z.boolean().optional().describe('squares that a picture fills; unless given, all of it is seen'),
  emptyText: text().optional().describe('where there is none'),
})
export type PictureViewerProps = z.output<typeof pictureViewerProps>
