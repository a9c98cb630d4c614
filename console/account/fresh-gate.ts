/** Between the client, which learns that proof is wanted, and the dialog that asks for it. */
export interface FreshGate {
  /** Asks the operator who he is; true once he has shown it. Several calls at once share one dialog. */
  ask(): Promise<boolean>
  loggedOut(): void
  /** What the page does. @returns ends it */
  attach(handlers: { open: () => void; loggedOut: () => void }): () => void
  answer(shown: boolean): void
}

export function createFreshGate(): FreshGate {
  let handlers: { open: () => void; loggedOut: () => void } | undefined
  let asked: Promise<boolean> | undefined
  let resolve: ((shown: boolean) => void) | undefined
  return {
    ask() {
      if (!handlers) return Promise.resolve(false)
      asked ??= new Promise<boolean>((done) => {
        resolve = done
      })
      handlers.open()
      return asked
    },
    loggedOut: () => handlers?.loggedOut(),
    attach(next) {
      handlers = next
      return () => {
        handlers = undefined
      }
    },
    answer(shown) {
      const done = resolve
      asked = undefined
      resolve = undefined
      done?.(shown)
    },
  }
}
