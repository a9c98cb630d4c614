import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Browser tests of parts that no test imports. A pattern that matches a changed file adds its tests. */
const browserTests = [
  // The engine and its dependencies: every screen.
  [/^(?:app|renderer|contract|language|flows)\/|^(?:main\.ts|index\.html|package(?:-lock)?\.json|vite\.config\.ts)$/, ['tests/e2e/']],
  [/^scripts\/(?:app-build|early|offline)\.ts$/, ['tests/e2e/']],
  [/^examples\/|^scripts\/example\.(?:mjs|ts)$/, ['tests/e2e/example-app.test.ts']],
  [/^docs\/examples\//, ['tests/e2e/examples.test.ts']],
  [/^(?:widgets|schemas|locales)\//, ['tests/e2e/flows.test.ts', 'tests/e2e/generated.test.ts']],
  [/^console\/|^vite\.console\.config\.ts$/, ['tests/e2e/console.test.ts', 'tests/e2e/back-office.test.ts']],
  [/^config-server\//, ['tests/e2e/release.test.ts', 'tests/e2e/console.test.ts', 'tests/servers/main.test.ts']],
  // Server modules are followed to their journeys by map.mjs; these parts belong to no module.
  [/^(?:api-server\/[^/]+$|server-kit\/)/, ['tests/e2e/account.test.ts', 'tests/e2e/money.test.ts']],
  [/^(?:api-server|server-kit)\//, ['tests/servers/main.test.ts', 'tests/e2e/flows.test.ts']],
]
const isTest = /\.test\.tsx?$/

/**
 * Files that differ from a commit, including new ones.
 * @param {string} root folder of the project
 * @param {string} ref commit to compare with
 * @returns {string[]} paths relative to the root
 */
export function changedFiles(root, ref = 'HEAD') {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)
  return [...new Set([...git('diff', '--name-only', '--relative', ref), ...git('ls-files', '--others', '--exclude-standard')])]
}

/**
 * Files of a folder or an area, of which the full run is asked: `api-server/lever`, or its last part alone, `lever`.
 * @param {string} root folder of the project
 * @param {string} area a folder, or the name of a folder of server modules, screens or widgets
 * @returns {string[]} paths relative to the root; empty when there is no such folder
 */
export function areaFiles(root, area) {
  const folder = area.replace(/\/+$/, '')
  const folders = folder.includes('/')
    ? [folder]
    : [folder, ...['api-server', 'schemas/screens', 'widgets'].map((room) => `${room}/${folder}`)]
  return execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...folders.map((one) => `${one}/`)], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter(Boolean)
}

/**
 * Tests that a change may break, in addition to those that import a changed file: tests that read changed files, and browser tests, which
 * import next to nothing of what they test.
 * @param {string[]} changed paths relative to the root
 * @param {Map<string, string>} texts text of each test, and of each file in tests/support, by its path
 * @returns {string[]} test files and folders without duplicates
 */
export function testsBeside(changed, texts) {
  const picked = new Set(browserTestsThatImport(changed, texts))
  const tests = new Map([...texts].filter(([path]) => isTest.test(path)))
  for (const file of changed) {
    if (tests.has(file) && file.startsWith('tests/e2e/')) picked.add(file)
    if (isTest.test(file) || file.startsWith('bench/')) continue
    for (const [pattern, found] of browserTests) if (pattern.test(file)) for (const one of found) picked.add(one)
    // Files other than code are read by tests, which contain the name of the file or its folder.
    if (/\.(?:json|md|css|html)$/.test(file)) {
      const [folder = ''] = file.split('/')
      const words = [
        `'${folder}`,
        `/${folder}/`,
        `${folder}/`,
        ...(folder === 'schemas' || folder === 'locales' ? ['tests/mutations'] : []),
      ]
      for (const [path, text] of tests) if (!path.startsWith('tests/e2e/') && words.some((word) => text.includes(word))) picked.add(path)
    }
  }
  const all = picked.has('tests/e2e/')
  return [...picked].filter((path) => !(all && path.startsWith('tests/e2e/') && path !== 'tests/e2e/'))
}

/** Browser tests that import changed files of tests/support, directly or through other files there. */
function browserTestsThatImport(changed, texts) {
  const reached = new Set(changed.filter((file) => file.startsWith('tests/support/')))
  // A set goes on with what is added meanwhile.
  for (const file of reached) for (const [path, text] of texts) if (text.includes(`'#${file}'`)) reached.add(path)
  return [...reached].filter((path) => isTest.test(path) && path.startsWith('tests/e2e/'))
}

/** Text of every test file, and of every file in tests/support, by path. @param {string} root */
export function testTexts(root) {
  const paths = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .replaceAll('\\', '/'),
    )
    .filter((path) => (isTest.test(path) && !/^(?:node_modules|dist)\//.test(path)) || /^tests\/support\/.*\.tsx?$/.test(path))
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
}
