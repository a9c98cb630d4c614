/** Why a server does not start, in words for the person who starts it: the fault and the remedy. It is shown as it is, without a stack. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused'
}
