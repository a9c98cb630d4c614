import { relative } from 'node:path'

const counted = (n, one, many) => `${n} ${n === 1 ? one : many}`

/** Files that took longest, when the report says how long they took. */
function slowest(files, root, most = 8) {
  const took = files.map(({ name, startTime = 0, endTime = 0 }) => ({ name: relative(root, name), seconds: (endTime - startTime) / 1_000 }))
  const slow = took.filter(({ seconds }) => seconds >= 10).sort((a, b) => b.seconds - a.seconds)
  return slow.length === 0
    ? []
    : [
        `slowest: ${slow
          .slice(0, most)
          .map(({ name, seconds }) => `${name} ${seconds.toFixed(0)} s`)
          .join(', ')}`,
      ]
}

/**
 * Last lines of a test run, from the JSON report of vitest. A file that could not even be loaded counts as one failure. A test that passed
 * at its second try has passed, and is named, so that somebody looks at it.
 * @param {{testResults: {name: string, status: string, message?: string, startTime?: number, endTime?: number, assertionResults: {status: string, fullName: string, failureMessages?: string[]}[]}[]}} report
 * @param {string} root folder that names are relative to
 * @param {string[]} notRun projects that were left out, each with its reason
 * @param {boolean} whole false when the runner itself says that something went wrong; that counts as a failure where no other does
 * @returns {{lines: string[], passed: number, failed: number}} the closing line is the last
 */
export function summary(report, root, notRun = [], whole = true) {
  let passed = 0
  let failed = 0
  const failures = []
  const skips = []
  const unsteady = []
  for (const file of report.testResults) {
    const name = relative(root, file.name)
    const skipped = []
    let failedHere = 0
    for (const test of file.assertionResults) {
      if (test.status === 'passed') {
        passed += 1
        if (test.failureMessages?.length) unsteady.push(`passed at the second try: ${name}: ${test.fullName}`)
      } else if (test.status === 'failed') {
        failedHere += 1
        failures.push(`failed: ${name}: ${test.fullName}`)
      } else skipped.push(test.fullName)
    }
    if (file.status === 'failed' && failedHere === 0) {
      failedHere = 1
      failures.push(`failed: ${name}: ${(file.message ?? '').split('\n')[0] || 'could not be run'}`)
    }
    failed += failedHere
    if (skipped.length) skips.push(`skipped: ${name}: ${counted(skipped.length, 'test', 'tests')}: ${skipped[0]}`)
  }
  if (!whole && failed === 0) {
    failed = 1
    failures.push('failed: the run itself; see what the runner says above')
  }
  const left = notRun.map((line) => `not run: ${line}`)
  return {
    lines: [...failures, ...unsteady, ...skips, ...left, ...slowest(report.testResults, root), `${passed} passed, ${failed} failed`],
    passed,
    failed,
  }
}
