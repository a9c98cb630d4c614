import type { Step, StepKind } from '#language/documents/documents.ts'

/** All kinds of steps; the type makes the list complete. */
const kinds: Record<StepKind, true> = {
  go: true,
  back: true,
  open: true,
  close: true,
  toast: true,
  set: true,
  refresh: true,
  more: true,
  copy: true,
  share: true,
  save: true,
  link: true,
  if: true,
  call: true,
  export: true,
  resend: true,
  discard: true,
  confirm: true,
  reset: true,
  upload: true,
  login: true,
  logout: true,
  return: true,
}
const kindNames = Object.keys(kinds) as StepKind[]
/** @throws for an object that is not a step */
export function kindOf(step: Step): StepKind {
  const kind = kindNames.find((name) => name in step)
  if (!kind) throw new Error(`no step: ${JSON.stringify(step)}`)
  return kind
}
