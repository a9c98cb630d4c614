import { widgets } from '#examples/lending-library/widgets.ts'
import { startApp } from '#renderer/start.tsx'

startApp({
  widgets,
  // The build makes the table of routes from the calls of api.ts.
  calls: import.meta.env.VITE_CALLS,
  functions: async () => (await import('#examples/lending-library/functions.ts')).functionOperators,
})
