import { type ReactNode, type RefCallback, useLayoutEffect, useRef, useState } from 'react'

export const devices = { phone: [390, 844], tablet: [820, 1_180], desktop: [1_280, 800] } as const
export type Device = keyof typeof devices

interface Props {
  device: Device
  attach: RefCallback<HTMLIFrameElement>
  title: string
  /** Label on the frame while sample data is shown. */
  label?: string
  /** Overlay of the frame. */
  children?: ReactNode
}

const address = `${import.meta.env.BASE_URL}preview.html`
/** The border of the frame, and room for the label above it. */
const edgePx = [20, 44] as const

/** A page of the app in the width of a device, scaled to the available room. */
export function DeviceFrame({ device, attach, title, label, children }: Props) {
  const room = useRef<HTMLDivElement>(null)
  const [scale, setScale] = useState(1)
  const [width, height] = devices[device]
  useLayoutEffect(() => {
    const element = room.current
    if (!element) return
    const resize = () => {
      const { clientWidth, clientHeight } = element
      setScale(Math.max(0.2, Math.min(1, (clientWidth - edgePx[0]) / width, (clientHeight - edgePx[1]) / height)))
    }
    const watch = new ResizeObserver(resize)
    watch.observe(element)
    resize()
    return () => watch.disconnect()
  }, [width, height])
  return (
    <div className="pv-room" ref={room}>
      <div
        className="pv-device"
        data-device={device}
        data-samples={label !== undefined || undefined}
        style={{ width: width * scale, height: height * scale }}
      >
        <iframe ref={attach} className="pv-frame" title={title} src={address} style={{ width, height, scale: `${scale}` }} />
        {label !== undefined && <p className="pv-label">{label}</p>}
        {children}
      </div>
    </div>
  )
}
