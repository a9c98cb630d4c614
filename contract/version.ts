/**
 * The version of the app, and its number. A later version has a larger number. `package.json` and `schemas/app.json` say the same, which
 * tests/unit/specification.test.ts checks.
 */
export const appVersion = { name: '0.8.0', code: 80 } as const
