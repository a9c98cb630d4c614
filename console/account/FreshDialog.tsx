import { useState } from 'react'
import { CodeField, PasswordField } from '#console/account/Proof.tsx'
import { useConsole } from '#console/io/console.ts'
import { useWords } from '#console/io/words.ts'
import { Button } from '#console/parts/Button.tsx'
import { Dialog } from '#console/parts/dialog/Dialog.tsx'
import { problemText } from '#console/parts/Toast.tsx'

/** Asks for password and code again before an action that customers will see. */
export function FreshDialog({ open, onDone }: { open: boolean; onDone: (shown: boolean) => void }) {
  const say = useWords()
  const { client, setMe, me } = useConsole()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const end = (shown: boolean) => {
    setPassword('')
    setCode('')
    setError(null)
    onDone(shown)
  }
  const send = async () => {
    setBusy(true)
    setError(null)
    try {
      setMe(await client.fresh({ password, code: code.replaceAll(' ', '') }))
      end(true)
    } catch (problem) {
      setCode('')
      setError(problem)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog open={open} onClose={() => end(false)} title={say('shell.fresh.title')} modal>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
        style={{ display: 'contents' }}
      >
        <p className="quiet">{say('shell.fresh.why')}</p>
        <input type="text" autoComplete="username" value={me?.operator.name ?? ''} readOnly hidden />
        <PasswordField value={password} onChange={setPassword} />
        <CodeField value={code} onChange={setCode} help={say('shell.code_help')} error={error ? problemText(say, error) : undefined} />
        <Button type="submit" tone="primary" busy={busy} disabled={password === '' || code.trim().length < 6}>
          {say('shell.fresh.ok')}
        </Button>
      </form>
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
