/** Made by the build of what stands below console/schemas (vite.console.config.ts). */
declare module 'virtual:desk-set' {
  import type { DeskSet } from '#console/back-office/set.ts'

  const set: DeskSet
  export default set
}
/** Words by area, of one language each. */
declare module 'virtual:desk-words' {
  const words: Record<string, () => Promise<{ default: Record<string, Record<string, unknown>> }>>
  export default words
}
