import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const pictureViewerProps = z.object({
  label: text().describe('accessible name of the gallery; each picture adds its number'),
  pictures: z
    .array(
      z.object({
        id: z.string(),
        src: z.string().describe('path on the host of the app'),
        title: text().optional().describe('caption below the picture, and its accessible name'),
      }),
    )
    .max(200)
    .describe('each picture is loaded when it is near the visible area'),
  columns: z.int().min(2).max(4).optional().describe('pictures per line; by default as many as fit'),
  fill: z.boolean().optional().describe('crops pictures to squares; by default they are shown whole'),
  emptyText: text().optional().describe('shown when there are no pictures'),
})
export type PictureViewerProps = z.output<typeof pictureViewerProps>
