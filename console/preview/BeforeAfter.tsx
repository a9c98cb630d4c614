import { Layers2 } from 'lucide-react'
import { type CSSProperties, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useWords } from '#console/io/words.ts'
import { Button } from '#console/parts/Button.tsx'
import { DeviceFrame } from '#console/preview/DeviceFrame.tsx'
import { addressFor, RoutePicker } from '#console/preview/RoutePicker.tsx'
import { SwitchBar, useLooks } from '#console/preview/SwitchBar.tsx'
import { type PreviewSet, routesOf } from '#console/preview/sets.ts'
import { useFrame } from '#console/preview/useFrame.ts'
import type { AppDoc } from '#language/documents/documents.ts'
import '#console/preview/preview.css'
import '#console/preview/compare.css'

interface Props {
  before: PreviewSet | null
  after: PreviewSet | null
  /** Changed screens: each has a button, and the first is opened. */
  screens?: readonly string[]
}

const settleMs = 600

/** Two states of the app side by side or one over the other, at the same page with the same options. */
export function BeforeAfter({ before, after, screens = [] }: Props) {
  const say = useWords()
  const id = useId()
  const [looks, change] = useLooks()
  const [over, setOver] = useState(false)
  const [part, setPart] = useState(50)
  const left = useFrame({ set: before, switches: looks, onWhere: (address) => follow(address, right) })
  const right = useFrame({ set: after, switches: looks, onWhere: (address) => follow(address, left) })
  const followed = useRef(0)
  function follow(address: string, other: ReturnType<typeof useFrame>): void {
    // Stops an endless loop where one side redirects from a page that the other side redirects to.
    if (other.link.view().address === address || performance.now() - followed.current < settleMs) return
    followed.current = performance.now()
    other.link.open(address)
  }
  const open = (address: string) => {
    left.link.open(address)
    right.link.open(address)
  }
  const routes = useMemo(() => [...(after ? routesOf(after) : []), ...(before ? routesOf(before) : [])], [before, after])
  const first = routes.find((route) => route.screen === screens[0])
  const firstAddress = first && addressFor(first)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page is left where it is until other screens are given
  useEffect(() => {
    if (firstAddress !== undefined) open(firstAddress)
  }, [firstAddress])
  const app = (after ?? before)?.documents['app/app']?.doc as AppDoc | undefined
  const frame = (name: 'before' | 'after', one: typeof left) => (
    <figure className="pv-side" data-side={name}>
      <figcaption>{say(`preview.${name}`)}</figcaption>
      <DeviceFrame
        device={looks.device}
        attach={one.attach}
        title={say(`preview.${name}`)}
        label={one.view.customer || looks.data !== 'ok' ? say('preview.sample_data') : undefined}
      >
        {!one.view.ready && one.view.broken === null && <p className="pv-wait">{say('preview.loading')}</p>}
      </DeviceFrame>
    </figure>
  )
  return (
    <section className="pv pv-compare" aria-label={say('preview.compare')} data-over={over || undefined}>
      <div className="pv-top">
        {after && <RoutePicker set={after} address={right.view.address} open={open} />}
        <Button small icon={Layers2} className="pv-toggle" aria-pressed={over} onClick={() => setOver(!over)}>
          {say('preview.over')}
        </Button>
      </div>
      {screens.length > 1 && (
        <ul className="pv-screens" aria-label={say('preview.changed_screens')}>
          {screens.map((screen) => {
            const route = routes.find((one) => one.screen === screen)
            return (
              <li key={screen}>
                <Button
                  small
                  className="pv-toggle"
                  disabled={!route}
                  aria-current={right.view.screen === screen || undefined}
                  onClick={() => route && open(addressFor(route))}
                >
                  {screen}
                </Button>
              </li>
            )
          })}
        </ul>
      )}
      <SwitchBar looks={looks} change={change} languages={app?.languages ?? []} />
      {over && (
        <div className="pv-slide">
          <label htmlFor={id}>{say('preview.before')}</label>
          <input
            id={id}
            type="range"
            min={0}
            max={100}
            value={part}
            aria-valuetext={say('preview.part', { part })}
            onChange={(event) => setPart(Number(event.target.value))}
          />
          <span aria-hidden="true">{say('preview.after')}</span>
        </div>
      )}
      <div className="pv-sides" data-device={looks.device} style={{ '--pv-part': `${part}%` } as CSSProperties}>
        {frame('before', left)}
        {frame('after', right)}
      </div>
    </section>
  )
}
