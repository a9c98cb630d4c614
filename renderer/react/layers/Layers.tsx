import { useCallback, useEffect, useLayoutEffect, useMemo, useState } from 'react'
import { pathOf } from '#renderer/engine/gate.rules.ts'
import type { Visit } from '#renderer/engine/kept.ts'
import { createLayerHistory } from '#renderer/engine/layers.ts'
import { useEngine } from '#renderer/react/context.ts'
import { isWide } from '#renderer/react/hooks/useWide.ts'
import { Beside } from '#renderer/react/layers/Beside.tsx'
import { PromptHost, ToastHost } from '#renderer/react/layers/PromptHost.tsx'
import { usePlaces } from '#renderer/react/layers/usePlaces.ts'

export interface LayersProps {
  shown: Visit
  /** The screen uses the whole of a wide window. */
  wide: boolean
}

/**
 * Draws the layers over the screens and the pages beside them, and restores scroll positions.
 * @param from the visit that the app began with; it may have been left before this came
 */
export function Layers({ shown, wide, from }: LayersProps & { from: Visit }) {
  const engine = useEngine()
  usePlaces(shown, from)
  const { beside, close } = useBeside(shown.path, wide)
  const history = useMemo(() => createLayerHistory(engine.ui), [engine])
  useLayoutEffect(() => {
    engine.setLeave(history.leave)
    return history.start()
  }, [engine, history])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another entry has no layers yet, and one that was reloaded none any more
  useEffect(() => history.settle(), [history, shown])
  return (
    <>
      {beside !== undefined && <Beside address={beside} close={close} />}
      <ToastHost />
      <PromptHost />
    </>
  )
}

/** Address of the page that stands beside the shown one, which it stays with while that changes its own parameters. */
function useBeside(pathname: string, wide: boolean): { beside: string | undefined; close: () => void } {
  const engine = useEngine()
  const [beside, setBeside] = useState<{ address: string; pathname: string }>()
  const close = useCallback(() => setBeside(undefined), [])
  useLayoutEffect(() => {
    engine.setBeside((address) => {
      if (!wide || !isWide() || engine.gate.entry(pathOf(address)) !== 'open') return false
      setBeside({ address, pathname })
      return true
    })
    return () => engine.setBeside(undefined)
  }, [engine, pathname, wide])
  // biome-ignore lint/correctness/useExhaustiveDependencies: it goes with its screen
  useEffect(() => close, [close, pathname])
  return { beside: beside?.pathname === pathname ? beside.address : undefined, close }
}
