/** Why a server does not start, in words for whoever started it: what is wrong and what to do. It is shown as it is, without a stack. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused'
}
