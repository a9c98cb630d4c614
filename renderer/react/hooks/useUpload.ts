import { useCallback } from 'react'
import type { UploadOptions } from '#renderer/calls/upload.ts'
import { useEngine } from '#renderer/react/context.ts'

/** Sends one picture and says so. @throws CallProblem; when `signal` ended it, the signal's reason */
export function useUpload(): (file: File, options: UploadOptions) => Promise<{ url: string }> {
  const engine = useEngine()
  return useCallback(
    async (file, options) => {
      const { uploadFile } = await import('#renderer/calls/upload.ts')
      return uploadFile(engine, file, options)
    },
    [engine],
  )
}
