import type { IncomingMessage } from 'node:http'
import type { Operator } from '#server-kit/http/http.ts'

export interface GateAsk {
  /** The request changes something, so it must carry the mark of the console's page. */
  changes: boolean
  /** An open page asks this by itself again and again, so it does not keep the session of somebody who has left. */
  passive?: boolean | undefined
}

/** Lets operators of the console into a part of the platform that is not the console. Asked of the database each time: an end counts at once. */
export interface OperatorGate {
  /**
   * Returns the operator of the request, by cookie or bearer token. The caller checks the roles.
   * @returns unauthorized: nobody who is logged in · forbidden: the request comes from somewhere else
   */
  operatorOf(req: IncomingMessage, ask: GateAsk): Promise<Operator | 'unauthorized' | 'forbidden'>
}
