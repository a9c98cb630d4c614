import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take long, in seconds on two quiet cores: what begins last and takes long is waited for by everybody else. The last lines of a run name them. */
const seconds: Readonly<Record<string, number>> = {
  'tests/e2e/flows.test.ts': 128,
  'tests/e2e/generated.test.ts': 119,
  'server-kit/pglite.store.test.ts': 100,
  'api-server/ledger/money.store.test.ts': 95,
  'tests/e2e/release.test.ts': 73,
  'tests/e2e/gallery.test.ts': 66,
  'tests/servers/fuzz.test.ts': 63,
  'tests/e2e/console.test.ts': 63,
  'api-server/ledger/crash.store.test.ts': 62,
  'tests/e2e/forms.test.ts': 60,
  'tests/e2e/taps.test.ts': 60,
  'tests/e2e/access.test.ts': 58,
  'tests/e2e/money.test.ts': 57,
  'tests/e2e/hostile.test.ts': 56,
  'tests/servers/upload-api.test.ts': 55,
  'tests/e2e/session.test.ts': 54,
  'api-server/upload/upload.kept.server.test.ts': 52,
  'tests/e2e/access-forms.test.ts': 50,
  'tests/e2e/trust-documents.test.ts': 47,
  'tests/servers/main.test.ts': 47,
  'tests/e2e/browse.test.ts': 46,
  'tests/servers/feed-storm.test.ts': 41,
  'tests/e2e/once.test.ts': 40,
  'tests/e2e/desk.test.ts': 39,
  'tests/e2e/words.test.ts': 39,
  'tests/e2e/account.test.ts': 36,
  'server-kit/db.store.test.ts': 33,
  'tests/e2e/trade.test.ts': 32,
  'tests/e2e/live.test.ts': 32,
  'tests/e2e/trust-sources.test.ts': 32,
  'tests/servers/bad-inputs.test.ts': 30,
  'tests/e2e/offline.test.ts': 29,
  'tests/e2e/money-client.test.ts': 27,
  'api-server/wallet/withdraw.store.test.ts': 25,
  'api-server/account/guessing.server.test.ts': 19,
  'api-server/upload/upload.server.test.ts': 18,
  'tests/servers/endings.test.ts': 17,
  'api-server/account/secondfactor.server.test.ts': 17,
  'config-server/publishing/kill.store.test.ts': 16,
  'tests/e2e/market.test.ts': 16,
  'api-server/account/session.server.test.ts': 15,
  'tests/servers/bad-inputs-wire.test.ts': 15,
  'tests/e2e/keyboard.test.ts': 15,
  'api-server/market/market.store.test.ts': 14,
  'api-server/identity/identity.server.test.ts': 14,
  'tests/unit/meddled.test.ts': 13,
  'api-server/app.server.test.ts': 13,
  'tests/e2e/gallery-inspector.test.ts': 13,
  'tests/servers/money-journey.test.ts': 13,
  'tests/servers/tokens.test.ts': 13,
  'api-server/account/entrance.server.test.ts': 12,
  'tests/servers/desk.test.ts': 11,
  'tests/servers/config-builds.test.ts': 11,
  'api-server/account/quiet.server.test.ts': 10,
  'tests/servers/access.test.ts': 10,
  'tests/servers/desk-bad-inputs.test.ts': 10,
  'api-server/rates/rates.store.test.ts': 10,
  'tests/unit/new-widget.test.ts': 9,
  'api-server/account/change.server.test.ts': 9,
  'tests/servers/feed-nodes.test.ts': 9,
  'config-server/publishing/drafts.store.test.ts': 9,
  'config-server/operators/operators.server.test.ts': 8,
  'tests/servers/desk-rules.test.ts': 8,
}
const unknownSeconds = 0.5

/**
 * Begins with what takes longest; what is not known keeps the order that the runner gives it. Browsers keep the cores busy and servers
 * mostly wait, so both are spread over the run: at each point as large a part of either has begun.
 */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const took = ({ moduleId }: TestSpecification) => seconds[relative(this.ctx.config.root, moduleId)] ?? unknownSeconds
    const kindOf = ({ project }: TestSpecification) => (project.name === 'e2e' ? 'browser' : 'other')
    const sorted = (await super.sort(files)).sort((a, b) => took(b) - took(a))
    const total = { browser: 0, other: 0 }
    for (const file of sorted) total[kindOf(file)] += took(file)
    const begun = { browser: 0, other: 0 }
    const part = new Map<TestSpecification, number>()
    for (const file of sorted) {
      const kind = kindOf(file)
      part.set(file, begun[kind] / total[kind])
      begun[kind] += took(file)
    }
    return sorted.sort((a, b) => (part.get(a) ?? 0) - (part.get(b) ?? 0))
  }
}
