import type { CustomerNotice, Notice } from '#contract/calls/notice.kinds.ts'
import type { Tx } from '#server-kit/db/db.ts'

/** Sends notices to customers about events; interface for other modules. Its kinds are in contract/calls/notice.kinds.ts. */
export interface Notices {
  /**
   * Stores a notice in the transaction of what it is about. After the commit it is pushed to the customer's apps, and sent by e-mail where its
   * kind says so.
   */
  notify(tx: Tx, uid: number, notice: Notice): Promise<void>
  /** The same for many, in one statement. */
  notifyAll(tx: Tx, notices: readonly CustomerNotice[]): Promise<void>
}
