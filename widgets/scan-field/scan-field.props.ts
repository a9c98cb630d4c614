import { z } from '#zod'

export const scanFieldProps = z.object({})
