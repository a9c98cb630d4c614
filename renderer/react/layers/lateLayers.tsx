import { type ComponentType, useEffect, useRef, useState } from 'react'
import { useEngine } from '#renderer/react/context.ts'

type Layers = ComponentType<{ pathname: string; from: string }>
let layers: Layers | undefined

/** Fetches toasts and prompts. @throws when they cannot be had; the next call tries again */
export async function readyToSay(): Promise<void> {
  layers ??= (await import('#renderer/react/layers/Layers.tsx')).Layers
}

const againMs = 5_000
/** The first screen has been painted for certain. */
const soonMs = 1_000

/** What lies over the screens is no part of the first paint: it comes soon after it, or as soon as there is something to say or somewhere to go. */
export function LateLayers({ pathname }: { pathname: string }) {
  const { ui } = useEngine()
  const from = useRef(pathname).current
  const [View, setView] = useState<Layers | undefined>(() => layers)
  useEffect(() => {
    if (View) return
    let timer: ReturnType<typeof setTimeout>
    let live = true
    const fetch = () => {
      clearTimeout(timer)
      readyToSay().then(
        () => live && setView(() => layers),
        () => {
          timer = setTimeout(fetch, againMs)
        },
      )
    }
    timer = setTimeout(fetch, ui.toasts().length + ui.prompts().length || pathname !== from ? 0 : soonMs)
    const off = ui.subscribe(fetch)
    return () => {
      live = false
      clearTimeout(timer)
      off()
    }
  }, [ui, View, pathname, from])
  return View ? <View pathname={pathname} from={from} /> : null
}
