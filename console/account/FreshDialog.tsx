import { lazy, Suspense } from 'react'
import { useWords } from '#console/io/words.ts'
import { Dialog } from '#console/parts/dialog/Dialog.tsx'
import { Skeleton } from '#console/parts/EmptyState.tsx'

/** With the code of forms, which no page needs before one. */
const FreshForm = lazy(async () => ({ default: (await import('#console/account/FreshForm.tsx')).FreshForm }))

/** Asks for password and code again before an action that customers will see. */
export function FreshDialog({ open, onDone }: { open: boolean; onDone: (shown: boolean) => void }) {
  const say = useWords()
  return (
    <Dialog open={open} onClose={() => onDone(false)} title={say('shell.fresh.title')} modal>
      <Suspense fallback={<Skeleton rows={3} />}>{open && <FreshForm onDone={() => onDone(true)} />}</Suspense>
    </Dialog>
  )
}

/** Connects the client, which learns that a proof of identity is needed, with the dialog that asks for it. */
export interface FreshGate {
  /** Asks the operator for a proof; true once it was given. Concurrent calls share one dialog. */
  ask(): Promise<boolean>
  loggedOut(): void
  /** Registers the handlers of the page. @returns removes them */
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
