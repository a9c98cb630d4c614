import { config } from 'zod'

/** The policy of the console's pages refuses code that is made of text, and zod would try it. Runs before any schema is made. */
config({ jitless: true })
