import { relative } from 'node:path'

/** A vitest reporter that prints a failed test with its errors when it fails; the default reporter prints errors after the whole run. */
export default class Failures {
  /** @param {import('vitest/node').TestCase} test a test that has just ended */
  onTestCaseResult(test) {
    const { state, errors } = test.result()
    if (state !== 'failed') return
    const where = relative(process.cwd(), test.module.moduleId)
    const told = errors.map(({ message, stack, diff }) => [stack ?? message, diff].filter(Boolean).join('\n'))
    console.error(`${new Date().toISOString()} failed: ${where}: ${test.fullName}\n${told.join('\n')}`)
  }
}
