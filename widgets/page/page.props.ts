import { z } from '#zod'

export const pageProps = z.object({ pad: z.boolean().optional() })
export type PageProps = z.output<typeof pageProps>
