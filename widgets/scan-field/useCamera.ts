import { useCallback, useEffect, useRef, useState } from 'react'

const everyMs = 150

/** `denied`: refused by the person or the browser; `missing`: there is no camera, or it is in use. */
type CameraState = 'off' | 'starting' | 'on' | 'denied' | 'missing'

/** Whether this browser supports cameras. */
export const mayHaveCamera = (): boolean => typeof navigator !== 'undefined' && navigator.mediaDevices?.getUserMedia !== undefined

/**
 * Runs the camera from a press until a code is found, it is stopped, or the screen is left.
 * @param found receives the text of the first code
 */
export function useCamera(found: (text: string) => void) {
  const [state, setState] = useState<CameraState>('off')
  const video = useRef<HTMLVideoElement>(null)
  const held = useRef<{ stream?: MediaStream; timer?: ReturnType<typeof setInterval>; turn: number }>({ turn: 0 })
  const tell = useRef(found)
  useEffect(() => {
    tell.current = found
  })

  const drop = useCallback(() => {
    const { stream, timer } = held.current
    held.current = { turn: held.current.turn + 1 }
    clearInterval(timer)
    for (const track of stream?.getTracks() ?? []) track.stop()
  }, [])
  useEffect(() => drop, [drop])

  const start = async () => {
    drop()
    const { turn } = held.current
    setState('starting')
    try {
      const [stream, { readFrame }] = await Promise.all([
        navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' }, audio: false }),
        import('#widgets/scan-field/decode.ts'),
      ])
      if (held.current.turn !== turn || !video.current) {
        for (const track of stream.getTracks()) track.stop()
        return
      }
      held.current.stream = stream
      video.current.srcObject = stream
      await video.current.play()
      setState('on')
      held.current.timer = setInterval(() => {
        const text = video.current ? readFrame(video.current) : undefined
        if (text === undefined) return
        drop()
        setState('off')
        tell.current(text)
      }, everyMs)
    } catch (error) {
      if (held.current.turn !== turn) return
      drop()
      setState((error as { name?: string }).name === 'NotAllowedError' ? 'denied' : 'missing')
    }
  }
  const stop = () => {
    drop()
    setState('off')
  }
  return { state, video, start: () => void start(), stop }
}
