import { config } from 'zod'

/** Turns off zod's generated code, which the pages' security policy refuses. Imported before any schema is made. */
config({ jitless: true })
