import { useEffect, useRef, useState } from 'react'
import { lazy } from '#renderer/core/lazy.ts'
import { useEngine } from '#renderer/react/context.ts'
import type { LayersProps } from '#renderer/react/layers/Layers.tsx'

const layers = lazy(() => import('#renderer/react/layers/Layers.tsx'))

/** The first screen has been painted for certain. */
const soonMs = 1_000

/**
 * Draws the layers over the screens. They are no part of the first paint: they load soon after it, or as soon as there is a message to show
 * or a place to go to.
 */
export function LazyLayers(props: LayersProps) {
  const { shown } = props
  const { ui } = useEngine()
  const from = useRef(shown).current
  const [loaded, setLoaded] = useState(layers.ready)
  useEffect(() => {
    if (loaded) return
    let forget = layers.whenReady(setLoaded, false)
    const hurry = () => {
      forget()
      forget = layers.whenReady(setLoaded)
    }
    const timer = setTimeout(hurry, ui.toasts().length + ui.prompts().length || shown !== from || from.kept.returned ? 0 : soonMs)
    const off = ui.subscribe(hurry)
    return () => {
      forget()
      clearTimeout(timer)
      off()
    }
  }, [ui, loaded, shown, from])
  return loaded ? <loaded.Layers {...props} from={from} /> : null
}
