import type { UploadOptions } from '#renderer/io/api.ts'
import type { Engine } from '#renderer/io/engine.ts'

/** Sends a picture and says so. @throws CallProblem, or the signal's reason; what to say about that is up to the caller */
export async function uploadFile(engine: Engine, file: File, options: UploadOptions): Promise<{ url: string }> {
  const answer = (await engine.api.upload('common.upload', file, options)) as { url: string }
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
