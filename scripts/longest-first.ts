import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take long, in seconds on two quiet cores: what begins last and takes long is waited for by everybody else. The last lines of a run name them. */
const seconds: Readonly<Record<string, number>> = {
  'server-kit/pglite.store.test.ts': 110,
  'tests/servers/main.test.ts': 58,
  'tests/servers/fuzz.test.ts': 52,
  'tests/servers/bad-inputs.test.ts': 45,
  'tests/servers/upload-api.test.ts': 60,
  'api-server/ledger/crash.store.test.ts': 60,
  'api-server/ledger/money.store.test.ts': 90,
  'tests/servers/feed-storm.test.ts': 40,
  'api-server/upload/upload.server.test.ts': 30,
  'api-server/upload/upload.kept.server.test.ts': 55,
  'tests/e2e/flows.test.ts': 120,
  'tests/e2e/generated.test.ts': 110,
  'tests/e2e/gallery.test.ts': 75,
  'tests/e2e/access.test.ts': 65,
}

/** Begins with what takes longest; what is not known keeps the order that the runner gives it. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const order = ({ project }: TestSpecification) => project.config.sequence.groupOrder
    const took = ({ moduleId }: TestSpecification) => seconds[relative(this.ctx.config.root, moduleId)] ?? 0
    return (await super.sort(files)).sort((a, b) => order(a) - order(b) || took(b) - took(a))
  }
}
