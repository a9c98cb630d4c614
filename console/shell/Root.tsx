import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { FreshDialog, type FreshGate } from '#console/account/FreshDialog.tsx'
import type { Client } from '#console/io/client.ts'
import { type Console, ConsoleContext } from '#console/io/console.ts'
import type { createEvents } from '#console/io/events/events.ts'
import { WordsContext, type WordsSource } from '#console/io/words.ts'
import { ConfirmHost } from '#console/parts/dialog/Dialog.tsx'
import { ToastHost } from '#console/parts/Toast.tsx'
import type { Me } from '#language/publish/operator-accounts.ts'

interface RootProps {
  client: Client
  events: ReturnType<typeof createEvents>
  words: WordsSource
  gate: FreshGate
  children: ReactNode
}

/** The contexts of all pages: client, texts, operator, dialogs and toasts. */
export function Root({ client, events, words, gate, children }: RootProps) {
  const [me, setMe] = useState<Me | null>(null)
  const [proof, setProof] = useState(false)
  const known = me !== null
  useEffect(() => (known ? events.start() : events.stop()), [events, known])
  useEffect(() => gate.attach({ open: () => setProof(true), loggedOut: () => setMe(null) }), [gate])
  const value = useMemo<Console>(
    () => ({ client, words, me, setMe, askFresh: gate.ask, onEvent: events.subscribe, watchDraft: events.watch }),
    [client, words, me, events, gate],
  )
  return (
    <ConsoleContext value={value}>
      <WordsContext value={words}>
        <ToastHost>
          <ConfirmHost>
            {children}
            <FreshDialog
              open={proof}
              onDone={(shown) => {
                setProof(false)
                gate.answer(shown)
              }}
            />
          </ConfirmHost>
        </ToastHost>
      </WordsContext>
    </ConsoleContext>
  )
}
