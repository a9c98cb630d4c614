import { type Api, CallProblem } from '#renderer/calls/api.ts'
import type { Engine } from '#renderer/engine/types.ts'

export interface UploadOptions {
  /** Purpose of the picture; the server's default when left out. */
  purpose?: string
  /** Hears how much has been sent, from 0 to 1. */
  onProgress?: (fraction: number) => void
  signal?: AbortSignal
}

/** Sends one file to a call that takes one. Resolves and throws as a call does. */
export async function upload(api: Pick<Api, 'send'>, name: string, file: Blob, options: UploadOptions = {}): Promise<unknown> {
  const { purpose, onProgress, signal } = options
  const form = new FormData()
  if (purpose !== undefined) form.set('purpose', purpose)
  form.set('file', file)
  return api.send(name, form, {
    headers: { 'Content-Type': 'multipart/form-data' },
    ...(signal && { signal }),
    ...(onProgress && { onUploadProgress: ({ loaded, total }) => onProgress(total ? Math.min(1, loaded / total) : 0) }),
  })
}

/** Sends a picture, made as small as the server keeps it, and says so. @throws CallProblem, or the signal's reason; what to say about that is up to the caller */
export async function uploadFile(engine: Engine, file: File, options: UploadOptions): Promise<{ url: string }> {
  if (engine.uploadCall === undefined) throw new CallProblem(4004, 'not_found')
  const { prepared } = await import('#renderer/calls/picture.ts')
  const picture = await prepared(file)
  options.signal?.throwIfAborted()
  const answer = (await upload(engine.api, engine.uploadCall, picture, options)) as { url: string }
  engine.ui.toast(engine.say('engine.uploaded'), 'success')
  return answer
}

/** The device's own file picker. Undefined when the customer picks nothing. Only works shortly after a press. */
export function pickFile(accept: readonly string[]): Promise<File | undefined> {
  const input = document.createElement('input')
  input.type = 'file'
  input.accept = accept.join(',')
  input.hidden = true
  // Some browsers forget a picker whose input is not on the page.
  document.body.append(input)
  return new Promise<File | undefined>((done) => {
    input.addEventListener('change', () => done(input.files?.[0]), { once: true })
    input.addEventListener('cancel', () => done(undefined), { once: true })
    input.click()
  }).finally(() => input.remove())
}
