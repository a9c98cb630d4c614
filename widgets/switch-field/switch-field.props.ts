import { z } from '#zod'

export const switchFieldProps = z.object({})
