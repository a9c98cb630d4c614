import { Suspense, useEffect, useState } from 'react'
import { Navigate, Outlet, useLocation, useNavigation } from 'react-router-dom'
import { CountStreamContext, useCountStream } from '#console/back-office/useQueueCounts.ts'
import { ConsoleError } from '#console/io/client.ts'
import { useConsole, useMay } from '#console/io/console.ts'
import { useWords } from '#console/io/words.ts'
import { useCloseOnBack } from '#console/parts/dialog/useBackCloses.ts'
import { ErrorState, Skeleton } from '#console/parts/EmptyState.tsx'
import styles from '#console/shell/Frame.module.css'
import { KeysDialog } from '#console/shell/KeysDialog.tsx'
import { Rail } from '#console/shell/Rail.tsx'

/** Sends operators without a session to the login and back afterwards. */
export function Frame() {
  const say = useWords()
  const { client, me, setMe } = useConsole()
  const { pathname, search } = useLocation()
  const { state } = useNavigation()
  const [error, setError] = useState<ConsoleError | null>(null)
  const [round, setRound] = useState(0)
  const known = me !== null
  const may = useMay()
  useCloseOnBack()
  const counts = useCountStream(may('reviewer') || may('administrator'))

  // biome-ignore lint/correctness/useExhaustiveDependencies: another round asks again
  useEffect(() => {
    if (known) return
    let gone = false
    setError(null)
    client.me().then(
      (answer) => !gone && setMe(answer),
      (problem: unknown) =>
        !gone && setError(problem instanceof ConsoleError ? problem : new ConsoleError('internal', 500, String(problem))),
    )
    return () => {
      gone = true
    }
  }, [client, known, setMe, round])

  if (!known) {
    if (error?.code === 'login_required') return <Navigate to={`/login?to=${encodeURIComponent(pathname + search)}`} replace />
    if (error) return <ErrorState error={error} again={() => setRound(round + 1)} />
    return (
      <div className={styles.wait}>
        <Skeleton rows={6} />
      </div>
    )
  }
  return (
    <CountStreamContext value={counts}>
      <div className={styles.frame}>
        <button type="button" className={styles.skip} onClick={() => document.getElementById('main')?.focus()}>
          {say('shell.skip')}
        </button>
        <Rail />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so a keyboard must reach it */}
        <main id="main" className={styles.main} tabIndex={0} aria-busy={state === 'loading'}>
          <Suspense fallback={<Skeleton />}>
            <Outlet />
          </Suspense>
        </main>
        <KeysDialog />
      </div>
    </CountStreamContext>
  )
}
