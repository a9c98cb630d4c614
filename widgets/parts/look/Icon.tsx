import type { LucideIcon } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { coreIcons } from '#widgets/parts/look/core-icons.ts'

interface IconProps {
  /** A name of icons.ts. */
  name: string
  /** Pixels at 100 % text size; grows with the text. */
  size?: number
  className?: string
}

type IconMap = Readonly<Record<string, LucideIcon>>
let here: IconMap = coreIcons
let all: IconMap | undefined
const waiting = new Set<() => void>()

/** Adds the icons of an app's first screens, before these are drawn. The app's other icons are loaded when one of them is drawn. */
export function addIcons(icons: IconMap): void {
  here = { ...here, ...icons }
}

function subscribe(wake: () => void): () => void {
  waiting.add(wake)
  if (!all)
    import('#widgets/parts/look/icons.ts').then(
      ({ icons }) => {
        all = icons
        for (const each of waiting) each()
      },
      () => undefined, // Offline: the place stays empty, and the next icon tries to load again.
    )
  return () => waiting.delete(wake)
}

/** A decorative icon, hidden from assistive technology, so the control needs a name. It reserves its space while it loads. */
export function Icon({ name, size = 20, className }: IconProps) {
  const Shape = Object.hasOwn(here, name) ? here[name] : undefined
  return Shape ? <Drawn shape={Shape} size={size} className={className} /> : <LateIcon name={name} size={size} className={className} />
}

function LateIcon({ name, size = 20, className }: IconProps) {
  const map = useSyncExternalStore(subscribe, () => all)
  const Shape = map && Object.hasOwn(map, name) ? map[name] : undefined
  if (Shape) return <Drawn shape={Shape} size={size} className={className} />
  const rem = `${size / 16}rem`
  return <svg aria-hidden="true" width={rem} height={rem} className={className} />
}

function Drawn({ shape: Shape, size, className }: { shape: LucideIcon; size: number; className?: string }) {
  const rem = `${size / 16}rem`
  return <Shape width={rem} height={rem} strokeWidth={1.75} className={className} />
}
