/**
 * Waits until it holds, for programs without a test runner too.
 * @throws Error when it does not within two minutes
 */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const endsAt = performance.now() + 120_000
  while (!(await holds())) {
    if (performance.now() > endsAt) throw new Error('what was waited for did not happen')
    await new Promise((wake) => setTimeout(wake, 10))
  }
}
