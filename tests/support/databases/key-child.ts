import { openSecrets } from '#server-kit/security/secrets.ts'
import { diesAt } from '#tests/support/databases/dies-at.ts'
import { say } from '#tests/support/say.ts'

/** A process to be killed: makes the key in the folder of its first argument, and ends at the change of a file that its second says. */
const [dataDir = '', at = '0'] = process.argv.slice(2)
diesAt(Number(at), say)
openSecrets({ dataDir })
