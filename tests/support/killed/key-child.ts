import { openSecrets } from '#server-kit/security/secrets.ts'
import { diesAt } from '#tests/support/killed/dies-at.ts'
import { say } from '#tests/support/say.ts'

/** A process to be killed: creates the key in the folder of its first argument, and dies at the file change of its second argument. */
const [dataDir = '', at = '0'] = process.argv.slice(2)
diesAt(Number(at), say)
openSecrets({ dataDir })
