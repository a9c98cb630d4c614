import { useCallback, useEffect, useRef, useState } from 'react'
import { useEngineText, useUpload } from '#renderer/widget-api.ts'

/** Refusals of the file itself: it is neither shown nor sent again. */
const ofFile = ['file_type_refused', 'file_too_large', 'picture_too_large', 'file_refused']

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
      const again = !ofFile.includes(name ?? '')
      setPicture({ phase: 'failed', preview: again ? preview : undefined, reason: known || say('widget.picture_failed'), again })
    }
  }
  return {
    picture,
    pick: (file: File) => {
      drop()
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
