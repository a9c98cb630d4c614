import { relative } from 'node:path'

const counted = (n, one, many) => `${n} ${n === 1 ? one : many}`

/** The ten slowest files with their seconds, one per line. */
function slowest(files, root) {
  const took = files.flatMap(({ name, startTime, endTime }) =>
    startTime === undefined || endTime === undefined ? [] : [{ name: relative(root, name), seconds: (endTime - startTime) / 1_000 }],
  )
  const slow = took.sort((a, b) => b.seconds - a.seconds).slice(0, 10)
  return slow.length === 0 ? [] : ['slowest files:', ...slow.map(({ name, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${name}`)]
}

/**
 * Last lines of a test run, from the JSON report of vitest. A file that could not be loaded counts as one failure.
 * @param {{testResults: {name: string, status: string, message?: string, startTime?: number, endTime?: number, assertionResults: {status:
 * string, fullName: string, failureMessages?: string[]}[]}[]}} report
 * @param {string} root folder that names are relative to
 * @param {string[]} notRun projects that were left out, each with its reason
 * @param {boolean} whole false when the runner itself reports a failure, which counts when there is no other failure
 * @param {boolean} isFull whether the full run was requested; otherwise tests tagged `full` are counted in one line
 * @returns {{lines: string[], passed: number, failed: number}} the closing line is the last
 */
export function summary(report, root, notRun = [], whole = true, isFull = true) {
  let passed = 0
  let failed = 0
  const failures = []
  const skips = []
  let inFull = 0
  for (const file of report.testResults) {
    const name = relative(root, file.name)
    const skipped = []
    let failedHere = 0
    for (const test of file.assertionResults) {
      if (test.status === 'passed') passed += 1
      else if (test.status === 'failed') {
        failedHere += 1
        failures.push(`failed: ${name}: ${test.fullName}`)
      } else if (!isFull && test.tags?.includes('full')) inFull += 1
      else skipped.push(test.fullName)
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
    lines: [
      ...failures,
      ...skips,
      ...(inFull ? [`left to npm run test:full: ${counted(inFull, 'test', 'tests')}`] : []),
      ...left,
      ...slowest(report.testResults, root),
      `${passed} passed, ${failed} failed`,
    ],
    passed,
    failed,
  }
}
