import { useCallback, useEffect, useRef, useState } from 'react'
import { useEngineText, useUpload } from '#renderer/widget-api.ts'
import { pictureBytesMax, refusalOf } from '#widgets/parts/fields/picture.rules.ts'

/** `preview` is a local address of the chosen file, until another file is chosen. */
export type Picture =
  | { phase: 'idle'; preview?: string }
  | { phase: 'sending'; preview: string; fraction: number }
  | { phase: 'failed'; preview: string | undefined; reason: string; again: boolean }

/**
 * Chooses, checks and uploads one picture at a time. Choosing another, or leaving the screen, cancels the running upload.
 * @param done receives the address from the server
 */
export function usePicture(purpose: string | undefined, done: (url: string) => void) {
  const upload = useUpload()
  const say = useEngineText()
  const [picture, setPicture] = useState<Picture>({ phase: 'idle' })
  const held = useRef<{ file?: File; preview?: string; stop?: AbortController }>({})

  const drop = useCallback(() => {
    held.current.stop?.abort()
    if (held.current.preview) URL.revokeObjectURL(held.current.preview)
    held.current = {}
  }, [])
  useEffect(() => drop, [drop])

  const send = async (file: File, preview: string) => {
    const stop = new AbortController()
    held.current = { file, preview, stop }
    setPicture({ phase: 'sending', preview, fraction: 0 })
    const onProgress = (fraction: number) => {
      if (!stop.signal.aborted) setPicture({ phase: 'sending', preview, fraction })
    }
    try {
      const { url } = await upload(file, { ...(purpose !== undefined && { purpose }), onProgress, signal: stop.signal })
      if (stop.signal.aborted) return
      setPicture({ phase: 'idle', preview })
      done(url)
    } catch (problem) {
      if (stop.signal.aborted) return
      const { name, msg } = problem as { name?: string; msg?: string }
      const known = msg !== undefined ? msg || say(`problem.${name}`) : ''
      setPicture({ phase: 'failed', preview, reason: known || say('widget.picture_failed'), again: true })
    }
  }
  return {
    picture,
    pick: (file: File) => {
      drop()
      const refusal = refusalOf(file)
      if (refusal) {
        const reason = say(`widget.picture_${refusal}`, { mb: pictureBytesMax / 1024 / 1024 })
        return setPicture({ phase: 'failed', preview: undefined, reason, again: false })
      }
      void send(file, URL.createObjectURL(file))
    },
    retry: () => {
      const { file, preview } = held.current
      if (file && preview) void send(file, preview)
    },
    /** Cancels the upload and removes the picture. */
    clear: () => {
      drop()
      setPicture({ phase: 'idle' })
    },
  }
}
