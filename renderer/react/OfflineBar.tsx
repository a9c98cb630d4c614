import { useSyncExternalStore } from 'react'
import { useEngine } from '#renderer/react/context.ts'

function onNetwork(wake: () => void): () => void {
  addEventListener('online', wake)
  addEventListener('offline', wake)
  return () => {
    removeEventListener('online', wake)
    removeEventListener('offline', wake)
  }
}

/** A quiet bar while the device has no network; what is shown stays. The live region stands before there is anything to say, so that it is read out. */
export function OfflineBar() {
  const { say } = useEngine()
  const online = useSyncExternalStore(onNetwork, () => navigator.onLine)
  return (
    <div className="offline" role="status">
      {online ? '' : say('engine.offline')}
    </div>
  )
}
